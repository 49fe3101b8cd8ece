"""The library call "ral.gemm": every transposition, element type and edge size, with and without BLAS."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from ral_artifact import HERE, build_artifact, kernel_sets

from disc.errors import ExecutionError
from disc.runtime import Program, make_context

SIZES = [(2, 0, 3, 4), (2, 3, 0, 4), (2, 3, 4, 0), (0, 3, 4, 5), (1, 1, 1, 1), (3, 1, 200, 300), (2, 7, 5, 600)]
SIZES += [(2, 17, 1, 64), (5, 64, 64, 64), (12, 33, 257, 65), (1, 300, 130, 700), (1, 130, 300, 40), (1, 400, 300, 500), (3, 390, 65, 260), (2, 40, 3, 60)]
TYPES = {"f32": ("RAL_F32", 4, 1e-4), "f64": ("RAL_F64", 8, 1e-12), "f16": ("RAL_F16", 2, 5e-2)}


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize("rank", [2, 3])
def test_products(name: str, rank: int, tmp_path: Path) -> None:
    dtype, size, tolerance = TYPES[name]
    numpy_type = {"f32": np.float32, "f64": np.float64, "f16": np.float16}[name]
    random = np.random.default_rng(0)
    contexts = [make_context(threads=3), make_context(threads=2, blas="", parallel="threads")]
    contexts += [make_context(threads=2, kernels=kernels) for kernels in kernel_sets()[1:]]
    for lhs in (0, 1):
        for rhs in (0, 1):
            flags = [f"-DRANK={rank}", f"-DLHS={lhs}", f"-DRHS={rhs}"]
            flags += [f"-DDTYPE={dtype}", f"-DNAME={name}", f"-DBYTES={size}"]
            code = build_artifact(HERE / "gemm_artifact.c", tmp_path / f"gemm{lhs}{rhs}.so", *flags)
            for context in contexts:
                program = Program(code, context=context)
                for batch, m, n, k in SIZES:
                    lead = [batch] if rank == 3 else []
                    a = random.standard_normal([*lead, m, k]).astype(numpy_type)
                    b = random.standard_normal([*lead, k, n]).astype(numpy_type)
                    (got,) = program(a.swapaxes(-1, -2) if lhs else a, b.swapaxes(-1, -2) if rhs else b)
                    want = a.astype(np.float64) @ b.astype(np.float64)
                    assert got.dtype == numpy_type and got.shape == want.shape
                    np.testing.assert_allclose(got, want, rtol=0, atol=tolerance * max(1, np.sqrt(k / 64)))
    for context in contexts:
        assert context.statistics()["failures"] == 0


def test_sizes_that_do_not_agree(tmp_path: Path) -> None:
    flags = ["-DRANK=2", "-DLHS=0", "-DRHS=0", "-DDTYPE=RAL_F32", "-DNAME=f32", "-DBYTES=4"]
    program = Program(build_artifact(HERE / "gemm_artifact.c", tmp_path / "gemm.so", *flags))
    with pytest.raises(ExecutionError, match="ral.gemm: the sizes do not agree"):
        program(np.zeros((2, 3), np.float32), np.zeros((4, 2), np.float32))


def test_integers_are_refused(tmp_path: Path) -> None:
    flags = ["-DRANK=2", "-DLHS=0", "-DRHS=0", "-DDTYPE=RAL_I32", "-DNAME=i32", "-DBYTES=4"]
    program = Program(build_artifact(HERE / "gemm_artifact.c", tmp_path / "gemm.so", *flags))
    with pytest.raises(ExecutionError, match="ral.gemm: element type i32"):
        program(np.zeros((2, 3), np.int32), np.zeros((3, 2), np.int32))


@pytest.mark.parametrize("blas", [None, ""])
def test_strided_operands_with_two_batch_dimensions(blas: str | None, tmp_path: Path) -> None:
    code = build_artifact(HERE / "heads_artifact.c", tmp_path / "heads.so")
    program = Program(code, context=make_context(threads=2, blas=blas))
    random = np.random.default_rng(0)
    for batch, rows, columns, heads, depth in [(2, 7, 5, 3, 64), (1, 300, 257, 2, 600), (3, 1, 1, 4, 8), (2, 3, 4, 5, 0)]:
        a = random.standard_normal((batch, rows, heads, depth)).astype(np.float32)
        b = random.standard_normal((batch, columns, heads, depth)).astype(np.float32)
        (got,) = program(a, b)
        np.testing.assert_allclose(got, np.einsum("bshd,bthd->bsht", a, b), rtol=0, atol=5e-4)


@pytest.mark.parametrize("name", ["f32", "f16"])
@pytest.mark.parametrize("rhs", [0, 1])
@pytest.mark.parametrize(("k", "n"), [(768, 300), (5, 8), (70, 3), (1, 1)])
def test_constants_are_packed_once(name: str, rhs: int, k: int, n: int, tmp_path: Path) -> None:
    dtype, size, tolerance = TYPES[name]
    flags = [f"-DK={k}", f"-DN={n}", f"-DRHS={rhs}", f"-DDTYPE={dtype}", f"-DNAME={name}", f"-DBYTES={size}"]
    code = build_artifact(HERE / "weight_artifact.c", tmp_path / "weight.so", *flags)
    numpy_type = {"f32": np.float32, "f16": np.float16}[name]
    random = np.random.default_rng(0)
    for threads, kernels in [(1, ""), *((3, kernels) for kernels in kernel_sets())]:
        context = make_context(threads=threads, parallel="threads", kernels=kernels)
        live = []
        weight = random.standard_normal((k, n)).astype(numpy_type)
        program = Program(code, {"w": np.ascontiguousarray(weight.T if rhs else weight)}, context=context)
        for rows in (1, 0, 2, 7, 64, 257):
            a = random.standard_normal((rows, k)).astype(numpy_type)
            (got,) = program(a)
            want = a.astype(np.float64) @ weight.astype(np.float64)
            np.testing.assert_allclose(got, want, rtol=0, atol=tolerance * max(1, np.sqrt(k / 64)))
            del got
            live.append(context.statistics()["live_bytes"])
        assert len(set(live)) == 1
        assert (live[0] >= k * n * 4) == (n >= 8)  # narrow ones are not packed
        del program
        assert context.statistics()["live_bytes"] == 0


def test_without_memory_for_packing(tmp_path: Path) -> None:
    flags = ["-DK=512", "-DN=512", "-DRHS=0", "-DDTYPE=RAL_F32", "-DNAME=f32", "-DBYTES=4"]
    code = build_artifact(HERE / "weight_artifact.c", tmp_path / "w.so", *flags)
    context = make_context(threads=2, memory_limit=1 << 19)
    program = Program(code, {"w": np.ones((512, 512), np.float32)}, context=context)
    assert (program(np.ones((3, 512), np.float32))[0] == 512).all()
