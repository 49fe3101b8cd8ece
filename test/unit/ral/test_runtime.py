"""disc.runtime on a hand-written artifact: arrays in and out, errors, memory."""

from __future__ import annotations

import gc
import threading
from pathlib import Path

import numpy as np
import pytest
from ral_artifact import HERE, build_artifact

from disc.errors import ExecutionError
from disc.runtime import Program, make_context

W = np.arange(4, dtype=np.float32)


@pytest.fixture
def program(mock_artifact: Path) -> Program:
    return Program(mock_artifact, {"w": W}, context=make_context(threads=2))


def arguments(rows: int, mode: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    x = np.arange(rows * 4, dtype=np.float32).reshape(rows, 4)
    return x, np.array([mode]), np.zeros(rows, np.float32)


def test_numpy_in_numpy_out(program: Program) -> None:
    for rows in (0, 1, 7, 1000):
        x, mode, y = arguments(rows)
        total, twice = program(x, mode, y)
        assert isinstance(total, np.ndarray) and total.flags.writeable
        np.testing.assert_array_equal(total, x + W)
        np.testing.assert_array_equal(twice, 2 * x)


def test_strided_and_read_only_arrays(program: Program) -> None:
    x, mode, y = arguments(6)
    total, _ = program(x[::-1, ::-1], mode, y)
    np.testing.assert_array_equal(total, x[::-1, ::-1] + W)
    x.flags.writeable = False
    program(x, mode, y)


def test_torch_in_torch_out(program: Program) -> None:
    import torch
    x, mode, y = (torch.from_numpy(a) for a in arguments(5))
    total, twice = program(x, mode, y)
    assert isinstance(total, torch.Tensor)
    assert torch.equal(total, x + torch.from_numpy(W)) and torch.equal(twice, 2 * x)
    total, _ = program(x.requires_grad_(), mode, y)
    assert torch.equal(total, x.detach() + torch.from_numpy(W))
    del total
    gc.collect()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda x, m, y: (x, m), "expected 3 inputs, got 2"),
        (lambda x, m, y: (x, m, y, y), "expected 3 inputs, got 4"),
        (lambda x, m, y: (x, m, y[:-1]), "input 2 `y`: dimension 0 (`s`): expected 3 (from input 0 `x` dimension 0)"),
        (lambda x, m, y: (x[:, :3], m, y), "input 0 `x`: dimension 1: expected 4, got 3"),
        (lambda x, m, y: (x.astype("f8"), m, y), "input 0 `x`: expected element type f32, got f64"),
        (lambda x, m, y: (x[0], m, y), "input 0 `x`: expected rank 2, got rank 1"),
        (lambda x, m, y: ("text", m, y), "input 0 `x`: expected an array of f32, got str"),
        (lambda x, m, y: (None, m, y), "input 0 `x`: expected an array of f32, got NoneType"),
        (lambda x, m, y: (x.astype(object), m, y), "input 0 `x`: expected element type f32, got an array of object"),
        (lambda x, m, y: (x, np.array([1]), y), "size 3 is not 4, {}"),
        (lambda x, m, y: (x, np.array([2]), y), "cannot allocate 4611686018427387903 bytes"),
    ],
)
def test_errors_leave_the_program_usable(program: Program, change, message: str) -> None:
    with pytest.raises(ExecutionError) as error:
        program(*change(*arguments(3)))
    assert str(error.value).startswith(message)
    assert len(program(*arguments(3))) == 2
    assert program.statistics()["live_bytes"] == 0


def test_outputs_own_their_memory(program: Program) -> None:
    kept = program(*arguments(1000))[0]
    assert program.statistics()["live_bytes"] > 0
    view = kept[5:10]
    del kept
    gc.collect()
    np.testing.assert_array_equal(view, arguments(1000)[0][5:10] + W)
    del view
    gc.collect()
    assert program.statistics()["live_bytes"] == 0


def test_constants_are_borrowed_and_checked(mock_artifact: Path) -> None:
    context = make_context(threads=1)
    with pytest.raises(ExecutionError, match="constant 0 `w`: expected .4. of f32, got .3. of f32"):
        Program(mock_artifact, {"w": W[:3]}, context=context)
    with pytest.raises(ExecutionError, match="has no constant `v`"):
        Program(mock_artifact, {"v": W}, context=context)
    with pytest.raises(ExecutionError, match="constant 0 `w` has not been set"):
        Program(mock_artifact, context=context)(*arguments(1))
    weights = W.copy()
    program = Program(mock_artifact, {"w": weights}, context=context)
    weights += 1
    np.testing.assert_array_equal(program(*arguments(1))[0], arguments(1)[0] + W + 1)
    assert context.statistics()["constant_bytes"] == 16
    del program
    gc.collect()
    assert context.statistics()["constant_bytes"] == 0


def test_bad_files_are_named(tmp_path: Path) -> None:
    text = tmp_path / "a.so"
    text.write_text("no code")
    for path, message in [(text, "expected a shared object"), (tmp_path / "b.so", "No such file")]:
        with pytest.raises(ExecutionError, match=f"cannot load artifact `{path}`: {message}"):
            Program(path)


def test_a_replaced_file_gives_the_new_code(tmp_path: Path) -> None:
    code = tmp_path / "code.so"
    build_artifact(HERE / "mock_artifact.c", code)
    first = Program(code, {"w": W})
    code.unlink()
    source = (HERE / "mock_artifact.c").read_text().replace("* 2;", "* 3;")
    (tmp_path / "new.c").write_text(source)
    build_artifact(tmp_path / "new.c", code)
    second = Program(code, {"w": W})
    x, mode, y = arguments(4)
    np.testing.assert_array_equal(first(x, mode, y)[1], 2 * x)
    np.testing.assert_array_equal(second(x, mode, y)[1], 3 * x)


def test_threads_share_a_program(program: Program) -> None:
    wrong = []

    def work(seed: int) -> None:
        for i in range(100):
            x, mode, y = arguments((seed * 31 + i * 7) % 97)
            total, _ = program(x, mode, y)
            if not np.array_equal(total, x + W):
                wrong.append((seed, i))

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    gc.collect()
    assert program.statistics()["live_bytes"] == 0


def test_facts(program: Program) -> None:
    assert program.signature.splitlines()[0] == "input 0 f32 x s,4"
    assert "OpenBLAS" in program.context.query("gemm")
    assert "built-in" in make_context(blas="").query("gemm")
    assert program.context.query("threads") == "2"


def test_kernels_are_chosen_by_name() -> None:
    assert make_context(kernels="base").query("kernels") == "base"
    with pytest.raises(ExecutionError, match="option `kernels`: this CPU has .*`base`, not `sse9`"):
        make_context(kernels="sse9")
