"""Library functions of one's own: the example of docs/runtime.md, and contexts that do not know it."""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess
from pathlib import Path

import disc
import numpy as np
import pytest
from disc import runtime
from disc.errors import ExecutionError

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "runtime.md").read_text()


@pytest.fixture(scope="module")
def vendor(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("vendor")
    (folder / "vendor.c").write_text(re.search(r"```c\n(.*?)```", TEXT, re.S)[1])
    command = re.search(r"^(cc .*?)\s+#", TEXT, re.M)[1]
    for word in ("ral/include", "build/lib"):
        command = command.replace(word, str(ROOT / word))
    if shutil.which("cc") is None or not (ROOT / "build" / "lib").exists():
        pytest.skip("needs cc and a build tree")
    subprocess.run(command.split(), cwd=folder, check=True)
    return folder


def test_the_example_of_the_guide(vendor: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(vendor)
    names: dict = {}
    exec(re.search(r"```python\n(import ctypes.*?)```", TEXT, re.S)[1], names)  # noqa: S102
    for n in (0, 1, 9):
        x = np.arange(n, dtype=np.float32)
        np.testing.assert_array_equal(names["model"](x), x + 3)


def test_a_function_is_known_where_it_is_registered(vendor: Path, tmp_path: Path) -> None:
    t = "tensor<4xf32>"
    text = f"""func.func @main(%x: {t}) -> {t} {{
      %y = stablehlo.custom_call @vendor.add_more(%x) {{disc.library, disc.ints = array<i64: 7>}} : ({t}) -> {t}
      return %y : {t}
    }}"""
    disc.compile(text).save(tmp_path / "model.disc")
    model = disc.load(tmp_path / "model.disc", threads=2)
    x = np.ones(4, np.float32)
    with pytest.raises(ExecutionError, match="vendor.add_more"):
        model(x)
    function = ctypes.CDLL(str(vendor / "vendor.so")).vendor_add
    runtime.register("vendor.add_more", function, runtime.context(2))
    np.testing.assert_array_equal(model(x), x + 7)
    assert runtime.context(2) is runtime.context(threads=2) and runtime.context() is runtime.context(None)


SHAPED = """
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %s = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %y = stablehlo.custom_call @vendor.add_shaped(%x, %s) {disc.library, disc.ints = array<i64: 2>,
      indices_of_shape_operands = dense<INDEX> : tensor<1xi64>} : (tensor<?xf32>, tensor<1xi32>) -> tensor<?xf32>
  %r = stablehlo.add %y, %x : tensor<?xf32>
  return %r : tensor<?xf32>
}
"""


def test_an_operand_tells_the_shape_of_a_result(vendor: Path) -> None:
    function = ctypes.CDLL(str(vendor / "vendor.so")).vendor_add
    runtime.register("vendor.add_shaped", function)
    model = disc.compile(SHAPED.replace("INDEX", "1"))
    for n in (0, 1, 9):
        x = np.arange(n, dtype=np.float32)
        np.testing.assert_array_equal(model(x), 2 * x + 2)


@pytest.mark.parametrize(("index", "message"), [("2", "expected for each of 1 results one of 2 operands"),
                                                ("0", "tells the shape of a result")])  # fmt: skip
def test_a_wrong_shape_operand_is_named(index: str, message: str) -> None:
    with pytest.raises(disc.CompileError, match=message):
        disc.compile(SHAPED.replace("INDEX", index))


GIVEN = """
func.func @main(%x: tensor<?xf32>, %s: tensor<2xi64>) -> tensor<?x3xf32> {
  %y = stablehlo.custom_call @vendor.add_given(%x, %s) {disc.library, disc.ints = array<i64: 2>, ATTRIBUTES
      indices_of_shape_operands = dense<1> : tensor<1xi64>} : (tensor<?xf32>, tensor<2xi64>) -> tensor<?x3xf32>
  return %y : tensor<?x3xf32>
}
"""
LAYOUTS = """operand_layouts = [dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>],
    result_layouts = [dense<[1, 0]> : tensor<2xindex>],"""


def test_a_shape_that_a_call_tells_is_checked(vendor: Path) -> None:
    runtime.register("vendor.add_given", ctypes.CDLL(str(vendor / "vendor.so")).vendor_add)
    model = disc.compile(GIVEN.replace("ATTRIBUTES", LAYOUTS))
    x = np.arange(6, dtype=np.float32)
    np.testing.assert_array_equal(model(x, np.array([2, 3])), x.reshape(2, 3) + 2)
    with pytest.raises(ExecutionError, match="`custom_call` at model.mlir:3:8: dimension 1 of a result is 2, expected 3"):
        model(x, np.array([3, 2]))
    with pytest.raises(ExecutionError, match="dimension 0 of a result is -2, expected at least 0"):
        model(x, np.array([-2, 3]))


@pytest.mark.parametrize(("attributes", "message"), [
    (LAYOUTS.replace("[1, 0]", "[0, 1]"), "has the layouts .*expected row-major ones"),
    ("""output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0,
        operand_tuple_indices = []>],""", "writes results over operands"),
])  # fmt: skip
def test_buffers_of_another_kind_are_refused(attributes: str, message: str) -> None:
    with pytest.raises(disc.CompileError, match=message):
        disc.compile(GIVEN.replace("ATTRIBUTES", attributes))
