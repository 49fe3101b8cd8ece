"""PDLL text of traced patterns: the author's names, in the author's order, with the place above each pattern."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .attrs import attr_pdll
from .errors import DslError, Place
from .handles import BoundAttr, Handle, Op, Value, Values
from .passes import PassFile
from .patterns import Pattern
from .trace import Statement, Trace

_PDLL_WORDS = (
    "attr Attr Constraint else erase if let not op Op OpName Pattern replace return rewrite Rewrite type Type "
    "TypeRange Value ValueRange with"
)
_KEYWORDS = {*_PDLL_WORDS.split()}
# In a conversion of types the rewrite sees what it reads as converted: PDLL's functions for that.
_CONVERT = {"Value": "convertValue", "ValueRange": "convertValues", "Type": "convertType", "TypeRange": "convertTypes"}


def give_names(t: Trace, reserved: set[str]) -> None:
    """Every handle that the text names gets its Python variable's name, or one made from its op."""
    taken = _KEYWORDS | reserved
    named = {id(v): k for k, v in t.local_names.items() if isinstance(v, Handle)}

    def fresh(wish: str) -> str:
        name = next(n for n in itertools.chain([wish], (f"{wish}_{i}" for i in itertools.count(1))) if n not in taken)
        taken.add(name)
        return name

    for p in t.params:
        p._name = fresh(str(p._text))
    for op in t.all_ops:
        assert op._model is not None
        op._name = fresh(named.get(id(op), op._model.mnemonic.replace(".", "_").replace("-", "_")))
        for attr, handle in op._bound.items():
            handle._name = fresh(named.get(id(handle), attr))
        for i, operand in op._unstated.items():
            operand._name = fresh(named.get(id(operand), f"{op._name}_{op._model.operands[i].name}"))
    for step in (*t.match, *t.rewrite):
        if isinstance(step, Statement) and step.defines is not None:
            step.defines._name = fresh(named.get(id(step.defines), str(step.defines._text)))


def _types_text(op: Op, match: bool) -> str:
    if op._types is None and not match:
        return ""
    types = op._types if op._types is not None else op._match_types
    parts = [
        t if isinstance(t, str) else t._pdll() + (f": {t._kind}" if match and op._types is None else "") for t in types
    ]
    return f" -> ({', '.join(parts)})"


def _attrs_text(op: Op) -> str:
    assert op._model is not None
    spelled = {n: f'"{n}"' if "." in n else n for n in op._attrs}
    items = [f"{spelled[n]} = {attr_pdll(v, op._model.attributes.get(n))}" for n, v in op._attrs.items()]
    return f" {{{', '.join(items)}}}" if items else ""


def _operand_texts(op: Op) -> tuple[list[str], list[str]]:
    """The operands as PDLL expressions, and declarations that they need first."""
    assert op._model is not None
    groups, stated = op._model.operands, op._operands
    exact = all(s is not None and not isinstance(s, Values) for s in stated)
    if op._matched and not exact:
        loose = [i for i, g in enumerate(groups) if g.kind != "single"]
        if not op._model.segments and (len(loose) > 1 or loose[0] != len(groups) - 1):
            raise DslError(
                f"the groups of `{op._model.name}` ({', '.join(g.name for g in groups)}) cannot be told apart by PDL; "
                "state each operand",
                op._place,
            )
    texts: list[str] = []
    lets: list[str] = []
    for i, s in enumerate(stated):
        if isinstance(s, list):
            if op._matched and not exact and len(s) != 1:
                raise DslError(
                    f"operand `{groups[i].name}` of `{op._model.name}`: "
                    "a list beside a `Values` group cannot be matched",
                    op._place,
                )
            inner = [v._pdll() for v in s]
            texts += inner if exact or op._matched else ["(" + ", ".join(inner) + ")"]
        elif s is not None:
            texts.append(s._pdll())
        elif op._matched:
            handle = op._unstated.get(i)
            name = handle._pdll() if handle is not None else f"{op._name}_{groups[i].name}"
            lets.append(f"let {name}: ValueRange;")
            texts.append(name)
    return texts, lets


def matched_op(op: Op, swapped: bool) -> list[str]:
    texts, lets = _operand_texts(op)
    if swapped:
        texts.reverse()
    lets += [f"let {h._name}: Attr;" for h in op._attrs.values() if isinstance(h, BoundAttr)]
    assert op._model is not None
    return [
        *lets,
        f"let {op._name} = op<{op._model.name}>({', '.join(texts)}){_attrs_text(op)}{_types_text(op, True)};",
    ]


def created_op(op: Op) -> str:
    model = op._model
    assert model is not None
    if op._types is None and not model.infers:
        raise DslError(f"say the result types of `{model.name}`: `results=types_of(...)`", op._place)
    if model.segments:
        if any(isinstance(s, Values) for s in op._operands):
            raise DslError(
                f"`{model.name}` has several operand groups; a `Values` handle cannot fill one of them", op._place
            )
        sizes = [0 if s is None else len(s) if isinstance(s, list) else 1 for s in op._operands]
        segment = f'operandSegmentSizes = attr<"array<i32: {", ".join(map(str, sizes))}>">'
        attrs = _attrs_text(op)
        attrs = f" {{{segment}}}" if not attrs else attrs[:-1] + f", {segment}}}"
    else:
        attrs = _attrs_text(op)
    texts, _ = _operand_texts(op)
    return f"let {op._name} = op<{model.name}>({', '.join(texts)}){attrs}{_types_text(op, False)}"


def variants(p: Pattern) -> dict[str, list[Op]]:
    """The PDL patterns that one function makes, each with the ops whose operands are swapped."""
    swappable = [x for x in p.trace.match if isinstance(x, Op) and x._swappable]
    choices = itertools.product((False, True), repeat=len(swappable))
    swapped = [[o for o, c in zip(swappable, choice, strict=True) if c] for choice in choices]
    return {p.name if i == 0 else f"{p.name}_swapped{i}": ops for i, ops in enumerate(swapped)}


@contextmanager
def _converted(t: Trace, convert: bool) -> Iterator[list[str]]:
    """Lines that convert what the rewrite reads; inside, the handles have the new names."""
    old = {id(h): (h, h._pdll()) for h in t.rewrite_uses if h._kind in _CONVERT and (h._of is None or h._of._matched)}
    made = {id(s.defines) for s in t.rewrite if s.defines is not None}
    bound = [(h, text) for i, (h, text) in old.items() if i not in made] if convert else []
    names = [h._name for h, _ in bound]
    lines = {}
    for h, text in bound:
        h._name = text.replace(".", "_") + "_new"
        lines[h._name] = f"let {h._name} = {_CONVERT[h._kind]}({text});"
    yield list(lines.values())
    for (h, _), name in zip(bound, names, strict=True):
        h._name = name


def pattern_lines(p: Pattern, root: Path | None, convert: bool = False) -> Iterator[tuple[str, Place]]:
    """The lines of one pattern (of all its variants) with the Python place each came from."""
    t = p.trace
    for name, ops in variants(p).items():
        swapped = {id(o) for o in ops}
        for doc in (f"// {shown(p.place, root)}", f"// {p.doc.splitlines()[0]}"):
            yield doc, p.place
        yield f"Pattern {name} with benefit({p.benefit}) {{", p.place
        for param in t.params:
            types = t.types.get(id(param), []) if isinstance(param, (Value, Values)) else []
            for ty in types:
                yield f"  let {ty._pdll()}: {ty._kind};", p.place
            suffix = f"<{types[0]._pdll()}>" if types else ""
            yield f"  let {param._pdll()}: {param._kind}{suffix};", p.place
        for x in t.match:
            if isinstance(x, Op):
                for line in matched_op(x, id(x) in swapped):
                    yield "  " + line, x._place
            else:
                yield f"  {x.text()};", x.place
        assert t.root is not None
        yield f"  rewrite {t.root._pdll()} with {{", p.place
        with _converted(t, convert) as lines:
            for line in lines:
                yield f"    {line}", p.place
            for s in t.rewrite:
                yield f"    {s.text()};", s.place
        yield "  };", p.place
        yield "}", p.place
        yield "", p.place


def shown(place: Place, root: Path | None) -> str:
    """The place with the path as seen from `root`: generated text is the same on every machine."""
    path = Path(place.file)
    if root is not None and path.resolve().is_relative_to(root.resolve()):
        path = path.resolve().relative_to(root.resolve())
    elif root is None:
        path = Path(path.name)
    return f"{path}:{place.line}"


def pass_text(p: PassFile, root: Path | None = None) -> tuple[str, list[Place]]:
    """PDLL of a pass file, and the Python place of each of its lines."""
    patterns, at, convert = p.patterns, Place(str(p.path), 1), bool(p.decl.types)
    seen: dict[str, Pattern] = {}
    for pat in patterns:
        if pat.name in seen:
            raise DslError(f"pattern `{pat.name}` is declared twice; the other is at {seen[pat.name].place}", pat.place)
        seen[pat.name] = pat
    lines: list[tuple[str, Place]] = [
        (f"// Generated by disc_dsl from {shown(at, root).rsplit(':', 1)[0]}; do not edit.", at)
    ]
    lines.append((f"// {p.summary}.", at))
    natives = {n.name: n for pat in patterns for n in pat.trace.natives.values()}
    for pat in patterns:
        give_names(pat.trace, {*seen, *natives})
    bodies = [line for pat in patterns for line in pattern_lines(pat, root, convert and not pat.legality)]
    lines += [(natives[n].pdll_declaration(), natives[n].place) for n in sorted(natives)]
    declared = [("is_legal", "op: Op", "")] if any(pat.legality for pat in patterns) else []
    declared += [(fn, f"from: {kind}", f" -> {kind}") for kind, fn in _CONVERT.items() if convert]
    lines += [(f"Rewrite {fn}({params}){result};", at) for fn, params, result in declared]
    lines.append(("", at))
    lines += bodies
    return "\n".join(text for text, _ in lines).rstrip("\n") + "\n", [place for _, place in lines]
