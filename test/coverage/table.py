"""docs/coverage.md from the cases: `python test/coverage/table.py` writes it."""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import computation
import elementwise
import structure
from disc_dsl import ods
from template import BOOL, COMPLEX, DTYPES, F8, Case

ROOT = Path(__file__).resolve().parents[2]
CASES: list[Case] = elementwise.CASES + structure.CASES + computation.CASES
# Ops that have no row, and the test that has them.
ELSEWHERE: dict[str, tuple[str, str]] = {
    "composite": ("inlined", "test/lit/passes/input/canonical_ops.mlir"),
    "custom_call": ("dynamic; a function of RAL's registry", "test/e2e/test_glue_ops.py"),
    "get_tuple_element": ("dynamic", "test/e2e/test_glue_ops.py"),
    "after_all": ("tokens", "test/e2e/test_glue_ops.py"),
    "create_token": ("tokens", "test/e2e/test_glue_ops.py"),
    "rng": ("dynamic", "test/unit/numerics/test_random.py"),
    "scan": ("dynamic", "test/e2e/test_glue_ops.py"),
    "set_dimension_size": ("dynamic", "test/e2e/test_glue_ops.py"),
    "uniform_quantize": ("dynamic", "test/e2e/test_quantized.py"),
    "uniform_dequantize": ("dynamic", "test/e2e/test_quantized.py"),
    "return": ("ends the regions above", "test/lit/dialects/dhlo"),
    "fusion": ("made by the compiler", "test/lit/passes/fusion"),
    "tie_shape": ("made by the compiler", "test/lit/passes/fusion"),
    "ragged_dot": ("refused: its attribute does not parse", "test/lit/dialects/dhlo/contraction_ops_invalid.mlir"),
    "_asin_acos_kernel": ("refused", "test/lit/passes/cpu/fusion_to_kernels_invalid.mlir"),
}
for _op in ("all_gather", "all_reduce", "all_to_all", "collective_broadcast", "collective_permute", "partition_id", "replica_id",
            "reduce_scatter", "send", "recv", "infeed", "outfeed"):  # fmt: skip
    ELSEWHERE[_op] = ("distributed: refused with op and place", "test/lit/passes/input/rename_invalid.mlir")


def tests() -> list[tuple[Case, str]]:
    return [(case, form) for case in CASES for form in case.forms]


def test_id(value: object) -> str:
    return value.op if isinstance(value, Case) else str(value)


def dialect_ops() -> set[str]:
    """The mnemonics of all ops of the dialect."""
    return {name.removeprefix("dhlo.") for name in ods.load() if name.startswith("dhlo.")}


def page() -> str:
    forms: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    notes: dict[str, set[str]] = defaultdict(set)
    for case in CASES:
        for dtype in case.dtypes:
            forms[case.op][dtype] |= set(case.forms)
        if case.note:
            notes[case.op].add(case.note)
    shown = [d for d in DTYPES if d not in F8]
    lines = [
        "# Coverage",
        "",
        "Generated from `test/coverage`: an entry stands for a test that compiles the op once and compares it with the reference interpreter.",
        "s: static sizes; d: sizes known at run time only, from one artifact, 0 and 1 among them; what is broadcast is 1 in some calls.",
        "f16 and bf16 functions are within 0.51 ulp of the interpreter's f64, as [numerics.md](numerics.md) says. An op with static rows only has no operand or result whose size could change.",
        "",
        "| op | " + " | ".join(shown) + " | f8 | notes |",
        "|---" * (len(shown) + 3) + "|",
    ]
    for op in sorted(forms):
        cells = ["".join(f[0] for f in ("static", "dynamic") if f in forms[op][d]) for d in shown]
        f8 = "".join(f[0] for f in ("static", "dynamic") if any(f in forms[op][d] for d in F8))
        lines.append(f"| `{op}` | " + " | ".join([*cells, f8, "; ".join(sorted(notes[op]))]) + " |")
    lines += ["", "## Elsewhere", ""]
    lines += [f" - `{op}`: {what}; `{test}`" for op, (what, test) in sorted(ELSEWHERE.items())]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    (ROOT / "docs" / "coverage.md").write_text(page())
