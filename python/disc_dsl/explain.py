"""Why a pattern did not match: every prefix of it as a pattern of its own that records how far it came and then fails.

The steps are the pattern's ops, from the root upwards, then its conditions (of `either_order`, the order as written).
disc-opt runs the prefixes (`--explain`) and reports, for the ops that came nearest, the step that stopped them.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from . import ods
from .emit import give_names, matched_op, shown
from .errors import DslError, Place
from .handles import Condition, Handle, Op
from .passes import load_pass
from .patterns import Pattern
from .pdll import run_pdll
from .trace import Statement


def _operands(op: Op) -> Iterator[Handle]:
    for stated in op._operands:
        yield from stated if isinstance(stated, list) else [] if stated is None else [stated]


def _from_root(p: Pattern) -> list[Op]:
    """The ops of the match: the root, what feeds it, then the others in the author's order."""
    assert p.trace.root is not None
    order: list[Op] = [p.trace.root]
    for op in order:
        order += [h._of for h in _operands(op) if h._of is not None and not any(h._of is o for o in order)]
    return order + [x for x in p.trace.match if isinstance(x, Op) and not any(x is o for o in order)]


def _prefix(p: Pattern, ops: list[Op], ending: Sequence[str]) -> list[str]:
    """The match of these ops alone; what other ops would give is free."""
    t, lines = p.trace, []
    free: list[Handle] = []
    for op in (x for x in t.match if isinstance(x, Op) and any(x is o for o in ops)):
        for h in _operands(op):
            if h._of is not None and not any(h._of is o for o in ops):
                free.append(h)
                h._name = h._pdll().replace(".", "_out")
            types = t.types.get(id(h), []) if h._of is None else []
            lines += [f"let {ty._pdll()}: {ty._kind};" for ty in types]
            if h._of is None or h._name:
                lines.append(f"let {h._pdll()}: {h._kind}{f'<{types[0]._pdll()}>' if types else ''};")
        lines += [f"let {a._pdll()}: Attr;" for a in op._attrs.values() if any(a is q for q in t.params)]
        lines += matched_op(op, False)
    for h in free:
        h._name = ""
    assert t.root is not None
    return [*dict.fromkeys(lines), *ending, f"rewrite {t.root._pdll()} with {{ erase {t.root._pdll()}; }};"]


def describe(p: Pattern) -> dict[str, Any]:
    """PDL of the prefixes, and what each step is."""
    t = p.trace
    give_names(t, {p.name, *t.natives, "explain_step"})
    assert t.root is not None
    root, ops = t.root._pdll(), _from_root(p)
    conditions = [x for x in t.match if isinstance(x, Condition)]
    computed = [f"{x.text()};" for x in t.match if isinstance(x, Statement)]
    steps = [
        {
            "place": shown(o._place, None),
            "what": f"an op `{o._model.name}`" if o._model else "",
            "why": "no such op there",
        }
        for o in ops
    ]
    lines = ["Constraint explain_step(root: Op, last: Op, step: Attr);"]
    lines += [
        t.natives[n].pdll_declaration()
        for n in sorted(t.natives)
        if t.natives[n].results and t.natives[n].kind == "constraint"
    ]
    patterns = []
    for k in range(1, len(ops) + 1):
        patterns.append(_prefix(p, ops[:k], [f'explain_step({root}, {ops[k - 1]._pdll()}, attr<"{k - 1} : i64">);']))
    natives = []
    for i, c in enumerate(conditions):
        kinds = c.native.pdll_declaration().split("(", 1)[1]
        lines.append(f"Constraint explain_condition{i}(explained: Op, {kinds}")
        call = c.call().split("(", 1)[1]
        patterns.append(_prefix(p, ops, [*computed, f"explain_condition{i}({root}, {call};"]))
        natives.append({"native": c.native.name, "negated": c.negated})
        what = ("not " if c.negated else "") + c.native.name
        steps.append(
            {
                "place": shown(c.place, None),
                "what": f"`{what}`",
                "why": ("not so: " if not c.negated else "so: ") + c.native.doc,
            }
        )
    for i, body in enumerate(patterns):
        lines += [f"Pattern prefix{i} with benefit(1) {{", *("  " + line for line in body), "}"]
    text = "\n".join(lines) + "\n"
    pdl = run_pdll(text, [p.place] * len(text.splitlines()), "mlir", f"{p.name}.pdll")
    return {"name": p.name, "pdl": pdl, "steps": steps, "ops": len(ops), "conditions": natives}


def main() -> None:
    parser = argparse.ArgumentParser(description="Describe the prefixes of a pattern for disc-opt.")
    parser.add_argument("pattern", help="FILE.py:pattern")
    parser.add_argument("out", type=Path)
    parser.add_argument("--ods", type=Path)
    args = parser.parse_args()
    file, _, name = args.pattern.rpartition(":")
    try:
        if args.ods:
            ods.load(args.ods)
        patterns = {p.name: p for p in load_pass(Path(file)).patterns}
        if name not in patterns:
            raise DslError(f"no pattern `{name}`; the file has {', '.join(f'`{n}`' for n in patterns)}", Place(file, 1))
        args.out.write_text(json.dumps(describe(patterns[name])))
    except DslError as e:
        sys.exit(str(e))
    except FileNotFoundError as e:
        sys.exit(f"{e.filename}:1:1: error: no such file")
