"""Every pass of the tree has its lit file, every pattern a case that fires and one that must not."""

import re
from pathlib import Path

import pytest
from disc_dsl import ods
from disc_dsl.docs import pages
from disc_dsl.passes import PassFile, load_tree

ROOT = Path(__file__).resolve().parents[3]
MODELS = ROOT / "build" / "passes" / "ods.json"


def test_file(p: PassFile) -> Path:
    return ROOT / "test" / "lit" / "passes" / p.stage / f"{p.stem}.mlir"


test_file.__test__ = False  # type: ignore[attr-defined]


def missing_cases(p: PassFile, text: str) -> list[str]:
    """What the lit file of a pass lacks."""
    functions = re.findall(r"func\.func (?:private )?@(\w+)", text)
    names = {pattern.name for pattern in p.patterns}
    missing = []
    for name in sorted(names):
        of = [f for f in functions if f == name or f.startswith(name + "_")]
        longer = [n for n in names if n != name and n.startswith(name + "_")]
        of = [f for f in of if not any(f == n or f.startswith(n + "_") for n in longer)]
        if not any(not f.startswith(f"{name}_not_") for f in of):
            missing.append(f"@{name}: a case that fires")
        if not any(f.startswith(f"{name}_not_") for f in of):
            missing.append(f"@{name}_not_...: a case that must not fire")
    return missing


@pytest.fixture
def passes() -> list[PassFile]:
    if not MODELS.exists():
        pytest.fail("the compiler is not built")
    ods.load(MODELS)
    return load_tree(ROOT / "passes")


def has_lit_file(p: PassFile) -> bool:
    """Its own file; for a native pass also files that run it, beside where that would be."""
    beside = test_file(p).parent.glob("*.mlir") if p.decl.native else ()
    return test_file(p).exists() or any(re.search(rf"{p.flag}\b(?!-)", f.read_text()) for f in beside)


def test_every_pass_has_a_lit_file(passes):
    assert [str(test_file(p).relative_to(ROOT)) for p in passes if not has_lit_file(p)] == []


def test_every_pattern_has_both_cases(passes):
    lacks = {p.name: missing_cases(p, test_file(p).read_text()) for p in passes if p.patterns and test_file(p).exists()}
    assert {name: cases for name, cases in lacks.items() if cases} == {}


def test_cases_are_told_apart(passes):
    algebra = next(p for p in passes if p.name == "graph-algebra")
    lacks = missing_cases(algebra, "func.func @add_zero_not_x() func.func @abs_again()")
    assert "@add_zero: a case that fires" in lacks and "@add_zero_not_...: a case that must not fire" not in lacks
    assert "@abs_again_not_...: a case that must not fire" in lacks


def test_generated_pages_are_current(passes):
    stale = [n for n, page in pages(ROOT / "passes").items() if (ROOT / "docs" / n).read_text() != page]
    assert stale == [], "run `python -m disc_dsl docs`"


def test_native_passes_have_their_source(passes):
    assert [p.name for p in passes if p.decl.native and not p.source.exists()] == []
