"""Every pattern of the tree can be explained: its prefixes are patterns that PDLL takes."""

from pathlib import Path

import pytest

from disc_dsl import ods
from disc_dsl.describe import describe
from disc_dsl.passes import load_pass

ROOT = Path(__file__).resolve().parents[3]
FILES = [
    *sorted((ROOT / "passes").glob("*/*.py")),
    ROOT / "examples" / "my_pass.py",
    *(ROOT / "test/lit/disc_dsl/Inputs" / f"{name}.py" for name in ("near", "features", "roots", "options")),
]


@pytest.fixture(autouse=True)
def built(models):
    ods.load(ROOT / "build" / "passes" / "ods.json")


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.stem)
def test_prefixes(file):
    loaded = load_pass(file)
    for pattern in [] if loaded.decl.native else loaded.patterns:
        steps = describe("pattern", f"{file}:{pattern.name}")["steps"]
        assert steps[0]["op"] == pattern.trace.root._model.name
