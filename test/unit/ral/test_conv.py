"""The library call "ral.conv" against torch: 1 to 3 spatial dimensions, groups, strides, padding, dilations, orders."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
import torch.nn.functional as functional
from ral_artifact import HERE, build_artifact, kernel_sets

from disc.errors import ExecutionError
from disc.runtime import Program, make_context

CONVOLUTIONS = {3: functional.conv1d, 4: functional.conv2d, 5: functional.conv3d}
TRANSPOSED = {3: functional.conv_transpose1d, 4: functional.conv_transpose2d, 5: functional.conv_transpose3d}


def artifact(path: Path, rank: int, *flags: str, dtype: str = "F32", bytes: int = 4) -> Path:
    flags = (f"-DRANK={rank}", f"-DDTYPE=RAL_{dtype}", f"-DNAME={dtype.lower()}", f"-DBYTES={bytes}", *flags)
    return build_artifact(HERE / "conv_artifact.c", path / f"conv{rank}{dtype}{len(flags)}.so", *flags)


def channels_last(x: torch.Tensor) -> torch.Tensor:
    return x.movedim(1, -1).contiguous()


def ints(
    rank: int, groups: int, order: list[int], stride: int, lhs: int, rhs: int, reverse: bool, low: int
) -> np.ndarray:
    """`order`: where the weights have their input features, output features and spatial dimensions."""
    return np.array([rank - 2, groups, *order] + [stride, lhs, rhs, int(reverse), low] * (rank - 2))


def weights(w: torch.Tensor, order: list[int]) -> torch.Tensor:
    """`w` [outputs, inputs, spatial...] with its dimensions at `order`."""
    places = [order[1], order[0], *order[2:]]
    return w.permute(*np.argsort(places)).contiguous()


# rank, batch, channels, features, groups, sizes, kernel, stride, padding, dilation
CASES = [
    (4, 2, 3, 64, 1, (23, 18), (7, 7), 2, 3, 1),
    (4, 1, 64, 64, 1, (14, 9), (3, 3), 1, 1, 1),
    (4, 3, 130, 100, 1, (7, 7), (3, 3), 2, 1, 1),
    (4, 1, 64, 128, 1, (8, 9), (1, 1), 2, 0, 1),
    (4, 1, 40, 40, 40, (9, 11), (3, 3), 1, 1, 1),
    (4, 2, 8, 24, 4, (6, 7), (3, 2), 1, 1, 2),
    (4, 1, 6, 18, 6, (5, 5), (3, 3), 1, 1, 1),
    (4, 2, 5, 7, 1, (1, 1), (3, 3), 1, 4, 1),
    (4, 1, 31, 1, 1, (40, 40), (5, 5), 3, 2, 1),
    (4, 1, 4, 3, 1, (6, 1), (1, 5), 1, 3, 1),
    (4, 1, 300, 600, 1, (3, 3), (3, 3), 1, 1, 1),
    (4, 1, 140, 200, 1, (1, 2), (3, 3), 1, 1, 1),
    (4, 1, 256, 70, 1, (4, 5), (3, 3), 1, 1, 1),
    (4, 1, 130, 96, 1, (15, 13), (3, 3), 1, 1, 1),
    (4, 0, 4, 3, 1, (6, 6), (3, 3), 1, 1, 1),
    (4, 2, 0, 3, 1, (6, 6), (3, 3), 1, 1, 1),
    (3, 2, 16, 33, 1, (50,), (5,), 1, 2, 3),
    (3, 1, 2, 3, 1, (9,), (4,), 2, 6, 1),
    (5, 1, 4, 6, 2, (5, 4, 6), (3, 2, 3), 2, 1, 1),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_like_torch(case: tuple, tmp_path: Path) -> None:
    rank, batch, channels, features, groups, sizes, kernel, stride, padding, dilation = case
    torch.manual_seed(0)
    x, w = torch.randn(batch, channels, *sizes), torch.randn(features, channels // groups, *kernel)
    if channels:
        want = CONVOLUTIONS[rank](x.double(), w.double(), None, stride, padding, dilation, groups)
    else:
        want = torch.zeros(batch, features, *sizes).double()
    want = channels_last(want)
    pairs = np.full((rank - 2, 2), padding)
    variants = [((), 1, ""), ((), 3, ""), (("-DPADDING",), 2, ""), *(((), 2, kernels) for kernels in kernel_sets())]
    for flags, threads, kernels in variants:
        program = Program(artifact(tmp_path, rank, *flags), context=make_context(threads=threads, kernels=kernels))
        for order in (
            [1, 0, *range(2, rank)],
            [rank - 2, rank - 1, *range(rank - 2)],
            [0, rank - 1, *range(1, rank - 1)],
        ):
            numbers = ints(rank, groups, order, stride, 1, dilation, False, -77 if flags else padding)
            (got,) = program(channels_last(x), weights(w, order), numbers, np.array(want.shape), pairs)
            torch.testing.assert_close(torch.from_numpy(np.asarray(got)).double(), want, rtol=1e-5, atol=1e-4)


@pytest.mark.parametrize("rank", [3, 4, 5])
def test_transposed(rank: int, tmp_path: Path) -> None:
    """The gradient of a convolution: dilated input, reversed weights."""
    torch.manual_seed(0)
    program = Program(artifact(tmp_path, rank), context=make_context(threads=2))
    x, w = torch.randn(2, 20, *(4, 7, 3)[: rank - 2]), torch.randn(20, 9, *[3] * (rank - 2))
    want = channels_last(TRANSPOSED[rank](x.double(), w.double(), stride=2, padding=1))
    numbers = ints(rank, 1, [0, 1, *range(2, rank)], 1, 2, 1, True, 1)
    (got,) = program(channels_last(x), w, numbers, np.array(want.shape), np.zeros((rank - 2, 2), np.int64))
    torch.testing.assert_close(torch.from_numpy(np.asarray(got)).double(), want, rtol=1e-5, atol=1e-4)


@pytest.mark.parametrize("dtype", ["F16", "BF16"])
def test_narrow_types_are_rounded_once(dtype: str, tmp_path: Path) -> None:
    torch.manual_seed(0)
    kind = {"F16": torch.float16, "BF16": torch.bfloat16}[dtype]
    program = Program(artifact(tmp_path, 4, dtype=dtype, bytes=2), context=make_context(threads=2))
    x, w = torch.randn(2, 9, 6, 5).to(kind), torch.randn(8, 9, 3, 3).to(kind)
    want = channels_last(functional.conv2d(x.double(), w.double(), padding=1))
    numbers = torch.from_numpy(ints(4, 1, [1, 0, 2, 3], 1, 1, 1, False, 1))
    (got,) = program(channels_last(x), w, numbers, torch.tensor(want.shape), torch.zeros(2, 2, dtype=torch.int64))
    torch.testing.assert_close(got.double(), want, rtol=2**-8 if dtype == "BF16" else 2**-10, atol=1e-3)


def test_sizes_that_do_not_agree(tmp_path: Path) -> None:
    program = Program(artifact(tmp_path, 4))
    x, w = np.zeros((1, 5, 5, 3), np.float32), np.zeros((4, 2, 3, 3), np.float32)
    numbers = ints(4, 1, [1, 0, 2, 3], 1, 1, 1, False, 0)
    with pytest.raises(ExecutionError, match="ral.conv: the sizes do not agree"):
        program(x, w, numbers, np.array([1, 3, 3, 4]), np.zeros((2, 2), np.int64))
