"""Passes and patterns as JSON: what the generated registration holds, and what disc-opt asks a child Python for."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from . import ods
from .attrs import attr_mlir
from .emit import pass_text, shown, variants
from .errors import DslError, Place
from .explain import describe_pattern
from .handles import kind_name
from .passes import PassFile, load_pass
from .patterns import Pattern
from .pdll import run_pdll
from .pipeline import option_text


def describe_pass(p: PassFile, root: Path | None = None) -> dict[str, Any]:
    """A pass made of patterns; its PDL is apart."""
    return {
        "flag": p.flag,
        "summary": p.summary,
        "on": p.decl.on,
        "driver": p.decl.driver,
        "legal": p.decl.legal,
        "illegal": p.decl.illegal,
        "types": [{"from": a, "to": b} for a, b in p.decl.types.items()],
        "options": [
            {
                "name": f.flag,
                "kind": kind_name(f.type),
                "like": attr_mlir(f.default),
                "initial": option_text(f.default),
                "help": f.help,
            }
            for f in p.decl.option_fields
        ],
        "patterns": [
            {"name": pat.name, "place": shown(pat.place, root or Path.cwd()), "variants": list(variants(pat))}
            for pat in p.patterns
        ],
        "legality": [name for pat in p.patterns if pat.legality for name in variants(pat)],
    }


def _natives(patterns: Sequence[Pattern]) -> list[dict[str, str]]:
    """The natives that patterns call: disc-opt must have them."""
    natives = {n.name: n for pattern in patterns for n in pattern.trace.natives.values()}
    return [{"name": n.name, "signature": n.signature(), "place": str(n.place)} for n in natives.values()]


def _loaded(file: str) -> PassFile:
    p = load_pass(Path(os.path.abspath(file)))
    if p.decl.native:
        raise DslError(
            "a native pass is built with the compiler; only a pass made of patterns can be loaded", Place(file, 1)
        )
    return p


def describe(what: str, argument: str) -> dict[str, Any]:
    """`what` is "pass" (`argument`: FILE.py) or "pattern" (FILE.py:pattern)."""
    if what == "pass":
        p = _loaded(argument)
        text, places = pass_text(p)
        pdl = run_pdll(text, places, "mlir", f"{p.stem}.pdll")
        return {**describe_pass(p), "pdl": pdl, "natives": _natives(p.patterns)}
    file, _, name = argument.rpartition(":")
    if not file.endswith(".py"):
        raise DslError(f"expected `FILE.py:pattern`, got `{argument}`", Place(argument, 1))
    p = _loaded(file)
    patterns = {pat.name: pat for pat in p.patterns}
    if name not in patterns:
        raise DslError(f"no pattern `{name}`; the file has {', '.join(f'`{n}`' for n in patterns)}", Place(file, 1))
    pattern = patterns[name]
    return {**describe_pattern(pattern, p.decl.option_fields), "natives": _natives([pattern])}


def main() -> None:
    parser = argparse.ArgumentParser(description="Describe a pass file or a pattern for disc-opt.")
    parser.add_argument("what", choices=["pass", "pattern"])
    parser.add_argument("argument", help="FILE.py or FILE.py:pattern")
    parser.add_argument("out", type=Path)
    parser.add_argument("--ods", type=Path)
    args = parser.parse_args()
    try:
        if args.ods:
            ods.load(args.ods)
        args.out.write_text(json.dumps(describe(args.what, args.argument)))
    except DslError as e:
        sys.exit(str(e))
