"""`disc bisect` names a pass with a planted bug; `disc interpret` and the exit codes."""

from pathlib import Path

import numpy as np
import pytest

from disc import arrays
from disc.cli import main

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
    assert main(["bisect", str(model), f"--load-pass={WRONG}", "--after=nowhere"]) == 2
    assert "unknown phase `nowhere`" in capsys.readouterr().err


def test_differences_see_nan_zero_and_shape():
    one, nan = np.ones(2, np.float32), np.array([1, np.nan], np.float32)
    assert arrays.difference(one, one) is None and arrays.difference(nan, nan) is None
    assert "[1] is 1.0, expected nan" in arrays.difference(one, nan)
    assert "shape [1], expected [2]" in arrays.difference(one[:1], one)
    assert arrays.difference(one * np.float32(1 + 1e-4), one)
