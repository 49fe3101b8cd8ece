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
