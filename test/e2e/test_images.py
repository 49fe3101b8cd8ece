"""Layers of image models at image sizes that one artifact takes: normalization, resizing, adaptive pooling."""

from __future__ import annotations

import disc
import pytest
import torch
import torch.nn.functional as functional
from disc.errors import CompileError
from torch import nn
from torch.export import Dim

SIZES = [(1, 8, 8), (3, 33, 57), (2, 9, 64)]


class Module(nn.Module):
    def __init__(self, function) -> None:
        super().__init__()
        self.function = function

    def forward(self, x):
        return self.function(x)


def images(batch: int, height: int, width: int) -> torch.Tensor:
    return torch.randn(batch, 4, height, width, generator=torch.Generator().manual_seed(height))


def compiled(model: nn.Module):
    sizes = {0: Dim("b", max=64), 2: Dim("h", min=8, max=512), 3: Dim("w", min=8, max=512)}
    return disc.compile(model.eval(), (images(2, 32, 40),), dynamic_shapes=(sizes,))


def like_torch(model: nn.Module, atol: float) -> None:
    fast = compiled(model)
    for size in SIZES:
        x = images(*size)
        with torch.no_grad():
            expected = model(x)
        got = fast(x)
        for mine, theirs in zip(*((v,) if isinstance(v, torch.Tensor) else v for v in (got, expected)), strict=True):
            torch.testing.assert_close(mine, theirs, rtol=1e-5, atol=atol, msg=lambda m: f"{size}: {m}")


def test_convolutions_with_stored_and_with_own_statistics() -> None:
    torch.manual_seed(0)
    convolution, scaled = nn.Conv2d(4, 8, 3, padding=1), nn.InstanceNorm2d(8, affine=True)
    model = nn.Sequential(convolution, nn.BatchNorm2d(8), nn.ReLU(), scaled)
    nn.init.normal_(model[1].weight)
    nn.init.normal_(model[1].bias)
    model[1].running_mean.normal_()
    model[1].running_var.uniform_(0.5, 2)
    like_torch(model, 1e-5)


def test_narrow_types_are_normalized_in_f32() -> None:
    torch.manual_seed(0)
    model = nn.BatchNorm2d(4).bfloat16().eval()
    model.running_var.uniform_(0.5, 2)
    x = images(2, 32, 40).bfloat16()
    sizes = {0: Dim("b", max=64), 2: Dim("h", min=4, max=512)}
    fast = disc.compile(model, (x,), dynamic_shapes=(sizes,))
    torch.testing.assert_close(fast(x[:1]), model(x[:1]), rtol=2**-8, atol=1e-6)


def test_batch_norm_without_stored_statistics() -> None:
    torch.manual_seed(0)
    like_torch(nn.BatchNorm2d(4, track_running_stats=False, affine=False), 1e-5)


def test_resizing_by_factors_and_to_sizes() -> None:
    def resized(x):
        return (
            functional.interpolate(x, scale_factor=2),
            functional.interpolate(x, scale_factor=(3, 1.5)),
            functional.interpolate(x, scale_factor=0.5),
            functional.interpolate(x, size=(17, 5)),
            functional.interpolate(x, scale_factor=2, mode="bilinear"),
            functional.interpolate(x, size=(17, 50), mode="bilinear"),
        )

    like_torch(Module(resized), 1e-5)


def test_adaptive_average_pooling() -> None:
    def pooled(x):
        return (
            functional.adaptive_avg_pool2d(x, 1),
            functional.adaptive_avg_pool2d(x, (7, 3)),
            functional.adaptive_avg_pool1d(x[0], 5),
        )

    like_torch(Module(pooled), 1e-6)


def test_an_infinity_stays_in_its_windows() -> None:
    fast = compiled(Module(lambda x: functional.adaptive_avg_pool2d(x, 2)))
    x = images(1, 8, 8)
    x[0, 0, 0, 0] = float("inf")
    torch.testing.assert_close(fast(x), functional.adaptive_avg_pool2d(x, 2))


def test_what_is_not_lowered_is_named_with_its_place() -> None:
    with pytest.raises(CompileError, match=r"test_images\.py:\d+") as raised:
        compiled(Module(lambda x: functional.fractional_max_pool2d(x, 2, output_size=3)))
    assert "torch-mlir-opt" not in str(raised.value)


def test_windows_and_reductions_over_several_dimensions() -> None:
    def several(x):
        windows = x.unfold(2, 3, 2)
        some, every = (x > 2).any((1, 3)), (x > -3).all((0, 2), keepdim=True)
        return windows, windows.unfold(3, 2, 1).sum(-1), some, every, x.any((1, 2))

    like_torch(Module(several), 1e-6)
