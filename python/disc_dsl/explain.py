"""Why a pattern did not match: every prefix of it as a pattern of its own whose rewrite records how far it came.

A constraint cannot record: PDL may ask it before the attributes and equal operands of the same prefix. The steps are
the pattern's ops, from the root upwards, then its conditions; each variant of `either_order` has its prefixes.
disc-opt runs them (`--explain`) and reports, for the ops that came nearest, the step that stopped them and what was
there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from .attrs import attr_mlir
from .emit import give_names, matched_op, shown, variants
from .handles import Attr, Condition, Handle, Op, OptionField, Values, option_values
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


def _prefix(p: Pattern, ops: list[Op], swapped: list[Op], conditions: Sequence[str], record: str) -> list[str]:
    """The match of these ops alone under the conditions; what other ops would give is free."""
    t, lines = p.trace, []
    free: list[Handle] = []
    inline = [ty for op in ops if op._types is None for ty in op._match_types]
    for op in (x for x in t.match if isinstance(x, Op) and any(x is o for o in ops)):
        for h in _operands(op):
            if h._of is not None and not any(h._of is o for o in ops):
                free.append(h)
                h._name = h._pdll().replace(".", "_out")
            types = t.types.get(id(h), []) if h._of is None else []
            lines += [f"let {ty._pdll()}: {ty._kind};" for ty in types]
            if h._of is None or h._name:
                lines.append(f"let {h._pdll()}: {h._kind}{f'<{types[0]._pdll()}>' if types else ''};")
        stated = [ty for ty in op._types or () if isinstance(ty, Handle) and not any(ty is i for i in inline)]
        lines += [f"let {ty._pdll()}: {ty._kind};" for ty in stated]
        lines += [f"let {a._pdll()}: Attr;" for a in op._attrs.values() if any(a is q for q in t.params)]
        lines += matched_op(op, any(op is o for o in swapped))
    for h in free:
        h._name = ""
    assert t.root is not None
    read = [h._of for op in ops for h in _operands(op)]
    loose = [op for op in ops if op is not t.root and not any(op is r for r in read)]  # PDL wants them used
    bound = [f"explain_bound({t.root._pdll()}, {op._pdll()});" for op in loose]
    return [*dict.fromkeys(lines), *bound, *conditions, f"rewrite {t.root._pdll()} with {{ {record} }};"]


def _fixed_count(op: Op) -> int | None:
    """How many operands the op has, where the pattern says it."""
    if any(s is None or isinstance(s, Values) for s in op._operands):
        return None
    return len(list(_operands(op)))


def _use(ops: list[Op], index: int) -> tuple[int, int, int] | None:
    """The step of the op that reads the given one, the place of that operand and the number of the result, where they
    are known.
    """
    for number, user in enumerate(ops[:index]):
        at = 0
        for stated in user._operands:
            for h in stated if isinstance(stated, list) else [stated]:
                if h is None or isinstance(h, Values):
                    return None
                if h._of is ops[index]:
                    result = h._pdll().rpartition(".")[2]
                    return number, at, int(result) if result.isdigit() else 0
                at += 1
    return None


def _placed(op: Op, swapped: list[Op]) -> Iterator[tuple[int, str]]:
    """The operands whose places are known, with their names."""
    handles = [h for s in op._operands for h in (s if isinstance(s, list) else [s])]
    if any(op is o for o in swapped):
        handles.reverse()
    for at, h in enumerate(handles):
        if h is None or isinstance(h, Values):
            return
        yield at, h._pdll()


def _same(ops: list[Op], index: int, swapped: list[Op]) -> list[dict[str, Any]]:
    """Operands of the op that must be values which it or an op before it has as operands."""
    first: dict[str, tuple[int, int]] = {}
    same = []
    for number, op in enumerate(ops[: index + 1]):
        for at, name in _placed(op, swapped):
            step, there = first.setdefault(name, (number, at))
            if number == index and (step, there) != (number, at):
                same.append({"name": name, "operand": at, "step": step, "there": there})
    return same


def _op_step(ops: list[Op], index: int, swaps: list[list[Op]]) -> dict[str, Any]:
    op, use = ops[index], _use(ops, index)
    assert op._model is not None
    step: dict[str, Any] = {"place": shown(op._place, Path.cwd()), "op": op._model.name}
    step["what"] = f"`{op._pdll()}`, an op `{op._model.name}`"
    step["attrs"] = {
        n: v._text if isinstance(v, Attr) else attr_mlir(v, op._model.attributes[n])
        for n, v in op._attrs.items()
        if not isinstance(v, Attr) or (type(v) is Attr and not v._name)
    }
    if (count := _fixed_count(op)) is not None:
        step["operands"] = count
    if all(g.kind == "single" for g in op._model.results):
        step["results"] = len(op._model.results)
    step["same"] = [_same(ops, index, swapped) for swapped in swaps]
    if use is not None:
        step["parent"], step["result"] = use[0], use[2]
        step["operand"] = [1 - use[1] if any(ops[use[0]] is o for o in swapped) else use[1] for swapped in swaps]
    return step


def _spelled(arg: Callable[[], str]) -> str:
    """An argument as the author wrote it, or nearly so."""
    literal = re.fullmatch(r'attr<"(.*)">', arg())
    return re.sub(r" : \w+$", "", literal[1].replace('\\"', '"')) if literal else arg()


def _call_step(call: Condition) -> dict[str, Any]:
    args = [_spelled(a) for a in call.args]
    return {
        "place": shown(call.place, Path.cwd()),
        "what": f"`{'~' if call.negated else ''}{call.native.name}({', '.join(args)})`",
        "why": ("so: " if call.negated else "not so: ") + call.native.doc,
        "native": call.native.name,
        "negated": call.negated,
        "args": ["" if a().startswith("attr<") else a() for a in call.args],
    }


def describe_pattern(p: Pattern, options: Sequence[OptionField] = ()) -> dict[str, Any]:
    """PDL of the prefixes, and what each step is; options have their defaults."""
    with option_values({f.name: f.default for f in options}):
        return _describe(p)


def _describe(p: Pattern) -> dict[str, Any]:
    t = p.trace
    give_names(t, {p.name, *t.natives, "explain_step", "explain_bound"})
    assert t.root is not None
    root, ops, swaps = t.root._pdll(), _from_root(p), list(variants(p).values())
    steps = [_op_step(ops, i, swaps) for i in range(len(ops))]
    lines = ["Rewrite explain_step(root: Op, last: Op, variant: Attr, step: Attr);"]
    lines.append("Constraint explain_bound(root: Op, other: Op);")
    lines += [n.pdll_declaration() for n in t.natives.values() if n.kind == "constraint"]
    bodies = []

    def number(n: int) -> str:
        return f'attr<"{n} : i64">'

    for v, swapped in enumerate(swaps):
        for k in range(len(ops)):
            reached = f"explain_step({root}, {ops[k]._pdll()}, {number(v)}, {number(k)});"
            bodies.append(_prefix(p, ops[: k + 1], swapped, [], reached))
    conditions: list[str] = []  # those before
    for x in (x for x in t.match if not isinstance(x, Op)):
        call = x.call if isinstance(x, Statement) else x
        assert call is not None
        index = len(steps)
        steps.append(_call_step(call))
        if isinstance(x, Statement):  # a constraint that computes: what it gives has no name in a rewrite
            del steps[index]["native"]
            conditions.append(f"{x.text()};")
        else:
            kinds = call.native.pdll_declaration().split("(", 1)[1]
            lines.append(f"Rewrite explain_condition{index}(explained: Op, variant: Attr, {kinds}")
        args = ", ".join(a() for a in call.args)
        for v, swapped in enumerate(swaps):
            reached = f"explain_step({root}, {root}, {number(v)}, {number(index)});"
            if not isinstance(x, Statement):
                reached = f"explain_condition{index}({root}, {number(v)}, {args});"
            bodies.append(_prefix(p, ops, swapped, conditions, reached))
        if not isinstance(x, Statement):
            conditions.append(f"{x.text()};")
    for i, body in enumerate(bodies):
        lines += [f"Pattern prefix{i} with benefit(1) {{", *("  " + line for line in body), "}"]
    text = "\n".join(lines) + "\n"
    pdl = run_pdll(text, [p.place] * len(text.splitlines()), "mlir", f"{p.name}.pdll")
    orders = [" and ".join(f"operands of `{o._pdll()}` swapped" for o in ops) for ops in swaps]
    return {"name": p.name, "pdl": pdl, "steps": steps, "variants": orders}
