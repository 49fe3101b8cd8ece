"""A user's pass file as what disc-opt needs to run it: `--load-pass` calls this in a child Python."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from . import ods
from .emit import pass_text
from .errors import DslError
from .passes import load_pass
from .pdll import run_pdll


def describe(path: Path) -> dict[str, object]:
    """The pass of a file with its patterns as PDL."""
    p = load_pass(path)
    if p.decl.native:
        raise DslError("a native pass is built with the compiler; only a pass made of patterns can be loaded")
    text, places = pass_text(p)
    return {
        "flag": p.flag,
        "summary": p.summary,
        "on": p.decl.on,
        "driver": p.decl.driver,
        "legal": list(p.decl.legal),
        "illegal": list(p.decl.illegal),
        "pdl": run_pdll(text, places, "mlir", f"{p.stem}.pdll"),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Describe a pass file for disc-opt.")
    parser.add_argument("file", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--ods", type=Path)
    args = parser.parse_args()
    try:
        if args.ods:
            ods.load(args.ods)
        args.out.write_text(json.dumps(describe(args.file)))
    except DslError as e:
        sys.exit(str(e))
    except FileNotFoundError as e:
        sys.exit(f"{e.filename}:1:1: error: no such file")
