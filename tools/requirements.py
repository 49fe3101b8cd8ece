"""Prints pip requirements from pyproject.toml, or makes this tree importable in the running environment.

    python tools/requirements.py build test     # build requirements, dependencies and the extra `test`
    python tools/requirements.py develop        # a .pth file for python/, instead of an installed copy
"""

from __future__ import annotations

import sys
import sysconfig
from pathlib import Path

try:
    import tomllib
except ModuleNotFoundError:  # Python 3.10
    from pip._vendor import tomli as tomllib  # type: ignore[no-redef]

ROOT = Path(__file__).resolve().parents[1]


def requirements(groups: list[str]) -> list[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    lines = list(project["project"]["dependencies"])
    for group in groups:
        if group == "build":
            lines += [*project["build-system"]["requires"], "cmake", "ninja"]
        else:
            lines += project["project"]["optional-dependencies"][group]
    return lines


def develop() -> None:
    target = Path(sysconfig.get_path("purelib"), "disc-develop.pth")
    target.write_text(f"{ROOT / 'python'}\n")


if __name__ == "__main__":
    if sys.argv[1:] == ["develop"]:
        develop()
    else:
        print("\n".join(requirements(sys.argv[1:])))
