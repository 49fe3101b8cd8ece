"""`disc bisect` names a pass with a planted bug; `disc interpret` and the exit codes."""

import os
import time
from pathlib import Path

import numpy as np
import pytest

from disc import arrays, interpreter
from disc.bisect import apart
from disc.cli import main
from disc.interpreter.types import Type

HERE = Path(__file__).parent
WRONG = HERE / "wrong_pass.py"
MODEL = """func.func @main(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>) -> tensor<?xf32> {
  %0 = stablehlo.multiply %a, %b : tensor<?x4xf32>
  %1 = stablehlo.exponential %a : tensor<?x4xf32>
  %2 = stablehlo.add %0, %1 : tensor<?x4xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.reduce(%2 init: %z) applies stablehlo.add across dimensions = [1]
    : (tensor<?x4xf32>, tensor<f32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
"""


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "model.mlir"
    path.write_text(MODEL)
    return path


def test_sound_pipeline(model: Path, capsys):
    assert main(["bisect", str(model), "--size", "3"]) == 0
    assert "compiled code and every pass agree" in capsys.readouterr().out


@pytest.mark.parametrize("after", ["input", "graph"])
def test_planted_bug_is_found_by_name(model: Path, after: str, capsys):
    """The pass, its place among the others, and the op that it made."""
    assert main(["bisect", str(model), f"--load-pass={WRONG}", f"--after={after}"]) == 1
    out = capsys.readouterr().out
    assert "the first difference is after" in out and "`wrong-pass`" in out
    assert f"first at `dhlo.subtract` at {model}:" in out


def test_planted_bug_that_needs_its_inputs(model: Path, tmp_path: Path):
    """With a sum of 0 the wrong pass is right."""
    exact = np.zeros((2, 4), np.float32)
    far = np.full((2, 4), -200, np.float32)  # exp(far) is 0
    for a, code in ((far, 0), (exact, 1)):
        np.savez(tmp_path / "in.npz", in0=a, in1=exact)
        assert main(["bisect", str(model), f"--load-pass={WRONG}", f"--inputs={tmp_path / 'in.npz'}"]) == code


def test_interpret_writes_outputs(model: Path, tmp_path: Path):
    x = np.arange(8, dtype=np.float32).reshape(2, 4)
    np.savez(tmp_path / "in.npz", in0=x, in1=x)
    for phase in ([], ["--to=fusion"], ["--to=cpu"]):
        out = tmp_path / "out.npz"
        assert main(["interpret", str(model), f"--inputs={tmp_path / 'in.npz'}", f"--outputs={out}", *phase]) == 0
        with np.load(out) as file:
            np.testing.assert_allclose(file["out0"], (x * x + np.exp(x)).sum(1), rtol=1e-6)


def test_errors_are_messages(model: Path, tmp_path: Path, capsys):
    assert main(["interpret", str(tmp_path / "none.mlir")]) == 2
    assert "no such file" in capsys.readouterr().err
    np.savez(tmp_path / "in.npz", in0=np.zeros((2, 5), np.float32), in1=np.zeros((2, 4), np.float32))
    assert main(["interpret", str(model), f"--inputs={tmp_path / 'in.npz'}"]) == 2
    assert "expected tensor<?x4xf32>, got shape [2, 5]" in capsys.readouterr().err
    assert main(["bisect", str(model), "--size", "b=x"]) == 2
    assert "expected N or NAME=N" in capsys.readouterr().err
    assert main(["interpret", str(model), "--size", "n=7"]) == 2
    assert "no input has a dynamic dimension `n`; there are: `0.0`, `1.0`" in capsys.readouterr().err
    assert main(["bisect", str(model), f"--load-pass={WRONG}", "--after=nowhere"]) == 2
    assert "unknown phase `nowhere`" in capsys.readouterr().err
    assert main(["bisect", str(model), f"--load-pass={WRONG}", "--after=llvm"]) == 2
    assert "cannot run after `llvm`" in capsys.readouterr().err


@pytest.mark.parametrize("content", [b"", b"text", b"PK\x03\x04broken"])
@pytest.mark.parametrize("option", ["--inputs=", "--constants="])
def test_files_that_hold_no_arrays(model: Path, tmp_path: Path, content: bytes, option: str, capsys):
    (tmp_path / "in.npz").write_bytes(content)
    assert main(["interpret", str(model), f"{option}{tmp_path / 'in.npz'}"]) == 2
    assert "expected an .npz file" in capsys.readouterr().err


def test_one_array_is_no_npz_file(model: Path, tmp_path: Path, capsys):
    np.save(tmp_path / "in.npy", np.ones((2, 4), np.float32))
    assert main(["interpret", str(model), f"--inputs={tmp_path / 'in.npy'}"]) == 2
    assert "expected an .npz file" in capsys.readouterr().err


def test_sizes_follow_symbols():
    f32 = np.dtype(np.float32)
    types = [Type("", (None, 3), f32, "f32", ("s", "")), Type("", (None, None), f32, "f32", ("2*s+1", "3-s"))]
    assert [x.shape for x in arrays.made_up(types, {"s": 7})] == [(7, 3), (15, 0)]
    assert [x.shape for x in arrays.made_up(types, {"": 2, "1.1": 9})] == [(2, 3), (5, 9)]


def test_tuples_are_their_elements(tmp_path: Path):
    x, y = np.ones(2, np.float32), np.arange(3)
    assert arrays.differences([x, y], [(x, (y, None))]) == []
    assert [d.output for d in arrays.differences([x, y + 1], [(x, y)])] == [1]
    arrays.save(tmp_path / "out.npz", [(x, None), y])
    assert {name: a.shape for name, a in arrays.read(tmp_path / "out.npz").items()} == {"out0": (2,), "out1": (3,)}


def test_differences_see_nan_zero_and_shape():
    one, nan = np.ones(2, np.float32), np.array([1, np.nan], np.float32)
    assert arrays.difference(one, one) is None and arrays.difference(nan, nan) is None
    assert "[1] is 1.0, expected nan" in arrays.difference(one, nan)
    assert "shape [1], expected [2]" in arrays.difference(one[:1], one)
    assert arrays.difference(one * np.float32(1 + 1e-4), one)


def test_compiled_code_runs_apart():
    """What it gives and raises arrives; one that crashes or does not end is told apart."""
    assert apart(divmod, (7, 2), 60) == (3, 1)
    with pytest.raises(ZeroDivisionError):
        apart(divmod, (7, 0), 60)
    with pytest.raises(EOFError):
        apart(os.abort, (), 60)
    with pytest.raises(TimeoutError):
        apart(time.sleep, (60,), 0.1)


def test_constants_come_by_name(tmp_path: Path, capsys):
    t = "tensor<?x2xf32>"
    path = tmp_path / "weights.mlir"
    path.write_text(f"""func.func @main(%w: tensor<2x2xf32> {{disc.constant = "w"}}, %x: {t}) -> {t} {{
      %0 = stablehlo.dot %x, %w : ({t}, tensor<2x2xf32>) -> {t}
      return %0 : {t} }}""")
    assert main(["bisect", str(path)]) == 2
    assert "constant `w` is not given" in capsys.readouterr().err
    np.savez(tmp_path / "w.npz", w=np.array([[1, 2], [3, 4]], np.float32))
    assert main(["bisect", str(path), f"--constants={tmp_path / 'w.npz'}"]) == 0


def test_a_loop_without_end_is_stopped():
    text = """func.func @main(%i: tensor<i32>) -> tensor<i32> {
      %r = stablehlo.while(%k = %i) : tensor<i32>
       cond {
        %c = stablehlo.constant dense<true> : tensor<i1>
        stablehlo.return %c : tensor<i1>
      } do {
        stablehlo.return %k : tensor<i32>
      }
      return %r : tensor<i32> }"""
    with pytest.raises(interpreter.InterpreterError, match="did not finish in time"):
        interpreter.run(text, [np.int32(0)], timeout=0.2)


def test_a_pass_of_a_tree_has_the_flag_of_its_stage(model: Path, tmp_path: Path, capsys):
    """As disc-opt names it; a pass on the module runs on the module."""
    (tmp_path / "passes" / "graph").mkdir(parents=True)
    (tmp_path / "passes" / "pipeline.py").touch()
    inside = tmp_path / "passes" / "graph" / "wrong_pass.py"
    inside.write_text(WRONG.read_text().replace('on="func.func"', 'on="module"'))
    assert main(["bisect", str(model), f"--load-pass={inside}"]) == 1
    assert "`disc-graph-wrong-pass`" in capsys.readouterr().out


def test_a_broken_pass_is_a_message(model: Path, tmp_path: Path, capsys):
    broken = tmp_path / "broken.py"
    broken.write_text('"""Broken."""\nnothing\n')
    assert main(["interpret", str(model), f"--load-pass={broken}"]) == 2
    assert f"{broken}:2:1: error: NameError" in capsys.readouterr().err
