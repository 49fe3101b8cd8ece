"""Bad programs and bad calls: an error that says what was expected, found and where; the model stays usable."""

import tempfile
from pathlib import Path

import numpy as np
import pytest

import disc

ADD = """
func.func @main(%x: tensor<?x4xf32> {disc.name = "x", disc.dims = ["n", ""]},
                %y: tensor<?x4xf32> {disc.name = "y", disc.dims = ["n", ""]}) -> tensor<?x4xf32> {
  %0 = stablehlo.add %x, %y : tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
"""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("func.func @main(%x: tensor<*xf32>) -> tensor<*xf32> { return %x : tensor<*xf32> }", "unranked"),
        ('func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> { %0 = "stablehlo.nonsense"(%x)'
         " : (tensor<4xf32>) -> tensor<4xf32>\n return %0 : tensor<4xf32> }", "nonsense"),
        ("func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> { return %y : tensor<4xf32> }", "undeclared"),
        ("func.func @main(%x: tensor<4xf32>, %y: tensor<5xf32>) -> tensor<4xf32> {"
         " %0 = stablehlo.add %x, %y : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>\n"
         " return %0 : tensor<4xf32> }", "add"),
        ("func.func @main(%x: tensor<4xf32>", "expected"),
        ("", "main"),
    ],
)  # fmt: skip
def test_bad_program_is_a_compile_error(text, message):
    with pytest.raises(disc.CompileError, match=message) as caught:
        disc.compile(text)
    assert caught.value.reproducer is None


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """A folder for temporary files."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


REFUSED = "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> { return %y : tensor<4xf32> }"


def test_a_refused_module_leaves_no_files(temporary):
    with pytest.raises(disc.CompileError, match=r"^model\.mlir:1:\d+: error:"):
        disc.compile(REFUSED)
    assert list(temporary.iterdir()) == []


def test_a_module_is_kept_where_asked(temporary, tmp_path):
    path = tmp_path / "kept.mlir"
    with pytest.raises(disc.CompileError, match=r"kept\.mlir:1:\d+: error:") as caught:
        disc.compile(REFUSED, keep_module=path)
    assert path.read_text() == REFUSED and caught.value.reproducer == str(path)
    disc.compile(ADD, keep_module=path)
    assert path.read_text() == ADD


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("kill -SEGV $$", "died of signal 11"),
        ("exec sleep 60", "did not finish in 1 s"),
        ("exit 3", "failed with 3"),
    ],
)
def test_the_module_of_a_compiler_that_broke_is_kept(temporary, tmp_path, monkeypatch, script, message):
    broken = tmp_path / "disc-compile"
    broken.write_text(f"#!/bin/sh\n{script}\n")
    broken.chmod(0o755)
    monkeypatch.setattr("disc.compiler.tool", lambda _: broken)
    with pytest.raises(disc.CompileError, match=message) as caught:
        disc.compile(ADD, timeout=1)
    assert [str(path) for path in temporary.iterdir()] == [caught.value.reproducer]
    assert caught.value.reproducer in str(caught.value)
    assert Path(caught.value.reproducer).read_text() == ADD


def test_dynamic_shapes_are_for_torch_modules():
    with pytest.raises(disc.CompileError, match="MLIR text says"):
        disc.compile(ADD, dynamic_shapes={"x": {0: disc.Dim("n")}})


@pytest.fixture(scope="module")
def add():
    return disc.compile(ADD)


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ((np.zeros((2, 4), "f4"),), "2 inputs"),
        ((np.zeros((2, 4), "f8"), np.zeros((2, 4), "f4")), "f64"),
        ((np.zeros((2, 5), "f4"), np.zeros((2, 5), "f4")), "dimension 1"),
        ((np.zeros((8,), "f4"), np.zeros((2, 4), "f4")), "rank"),
        ((np.zeros((2, 4), "f4"), np.zeros((3, 4), "f4")), "`y`.*dimension 0"),
        ((np.zeros((2, 4), "f4"), "text"), "str"),
    ],
)
def test_bad_call_names_the_input_and_leaves_the_model_usable(add, inputs, message):
    live = add.statistics()["live_bytes"]
    with pytest.raises((disc.ExecutionError, TypeError), match=message):
        add(*inputs)
    assert add.statistics()["live_bytes"] == live
    x = np.arange(8, dtype="f4").reshape(2, 4)
    np.testing.assert_array_equal(add(x, x), x + x)


@pytest.mark.parametrize("n", [0, 1, 2, 1000])
def test_one_artifact_serves_sizes_zero_and_one(add, n):
    x = np.random.default_rng(0).standard_normal((n, 4)).astype("f4")
    np.testing.assert_array_equal(add(x, x[::-1]), x + x[::-1])


def test_save_and_load(add, tmp_path):
    loaded = disc.load(add.save(tmp_path / "artifact"))
    x = np.ones((3, 4), "f4")
    np.testing.assert_array_equal(loaded(x, x), x + x)
