"""The guide's examples are run."""

import re
from pathlib import Path

from disc_dsl import ods
from disc_dsl.emit import pass_text
from disc_dsl.passes import load_pass

ROOT = Path(__file__).resolve().parents[3]
GUIDE = (ROOT / "docs" / "dsl.md").read_text()


def blocks(kind: str) -> list[str]:
    return [text for k, text in re.findall(r"^```(\S*)\n(.*?)^```$", GUIDE, re.DOTALL | re.MULTILINE) if k == kind]


def test_first_pass_gives_the_pdll_shown(tmp_path):
    path = tmp_path / "passes" / "graph" / "algebra.py"
    path.parent.mkdir(parents=True)
    path.write_text(blocks("python")[0])
    text, _ = pass_text(load_pass(path, "graph"), tmp_path)
    assert blocks("")[0] in text


def test_natives_and_families_are_accepted(tmp_path):
    head = '"""A pass."""\nfrom disc_dsl import *\nfrom disc_dsl.ops import dhlo\n'
    family = next(b for b in blocks("python") if "involution" in b).replace("(dhlo.negate, dhlo.not_)", "(dhlo.not_,)")
    natives = next(b for b in blocks("python") if "is_transposed" in b)
    path = tmp_path / "family.py"
    path.write_text(f"{head}{natives}\n{family}\nPASS = Pass()\n")
    assert "Pattern not_twice" in pass_text(load_pass(path))[0]


def test_options_and_conversion_are_accepted(tmp_path):
    ods.load(ROOT / "build" / "passes" / "ods.json")
    head = '"""A pass."""\nfrom dataclasses import dataclass\nfrom disc_dsl import *\nfrom disc_dsl.constraints import rank\nfrom disc_dsl.ops import dhlo\n'
    for word, name in (("drop_log", "Pattern drop_log"), ("@legal", "Pattern vectors")):
        path = tmp_path / f"{word.strip('@')}.py"
        path.write_text(head + next(b for b in blocks("python") if word in b))
        assert name in pass_text(load_pass(path))[0]
