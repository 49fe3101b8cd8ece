"""lit: the tests mirror the source paths. `--param build=DIR` names the build tree (default: build/ of the checkout)."""

import os
import sys
from pathlib import Path

import lit.formats

config.name = "disc"  # noqa: F821
root = Path(__file__).resolve().parents[2]
build = Path(lit_config.params.get("build", root / "build")).resolve()  # noqa: F821

config.test_format = lit.formats.ShTest(execute_external=False)  # noqa: F821
config.suffixes = [".mlir"]  # noqa: F821
config.excludes = ["Inputs"]  # noqa: F821
config.test_source_root = str(root / "test" / "lit")  # noqa: F821
config.test_exec_root = str(build / "test" / "lit")  # noqa: F821

tools = [build / "bin", Path(sys.executable).parent]
config.environment["PATH"] = os.pathsep.join([*map(str, tools), config.environment["PATH"]])  # noqa: F821
config.substitutions.append(("%python", sys.executable))  # noqa: F821
config.substitutions.append(("%root", str(root)))  # noqa: F821
