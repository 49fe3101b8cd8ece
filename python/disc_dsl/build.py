"""Generates the C++ side of a pass tree: `python -m disc_dsl.build --passes passes --out <dir> --ods ops.json`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from . import constraints, cpp, ods
from .emit import pass_text
from .errors import DslError
from .native import Native
from .passes import PassFile, load_tree
from .pdll import run_pdll
from .pipeline import load_pipeline
from .stubs import stubs
from .tools import use_tool


def write(path: Path, text: str) -> bool:
    """Writes only what changed, so that nothing is built twice; whether it did."""
    if path.exists() and path.read_text() == text:
        return False
    path.write_text(text)
    return True


def all_natives(passes: Sequence[PassFile]) -> list[Native]:
    """Every native of the library and of the passes, by name."""
    found: dict[str, Native] = {}
    for module in (constraints, *(p.module for p in passes)):
        for value in vars(module).values():
            if not isinstance(value, Native):
                continue
            known = found.setdefault(value.name, value)
            if known is not value and known.cpp != value.cpp:
                raise DslError(f"two natives are called `{value.name}`; the other is at {known.place}", value.place)
    return [found[n] for n in sorted(found)]


def build(passes_dir: Path, out: Path) -> None:
    """Writes Passes.h.inc, Passes.cpp, PipelinePhases.cpp and, for each pattern pass, its PDLL and C++."""
    out.mkdir(parents=True, exist_ok=True)
    root = passes_dir.resolve().parent
    passes = load_tree(passes_dir)
    for p in [p for p in passes if p.decl.native and not p.source.exists()]:
        print(
            f"{p.path}:1:1: warning: `native=True` but there is no {p.source.name} beside it; the pass is left out",
            file=sys.stderr,
        )
        passes.remove(p)
    natives = all_natives(passes)
    changed = False
    for p in passes:
        if not p.decl.native:
            text, places = pass_text(p, root)
            write(out / f"{p.ident}.pdll", text)
            changed |= write(out / f"{p.ident}.h.inc", run_pdll(text, places, "cpp", f"{p.ident}.pdll"))
    write(out / "Passes.h.inc", cpp.header(passes, natives))
    if not write(out / "Passes.cpp", cpp.registration(passes, natives, root)) and changed:
        (out / "Passes.cpp").touch()  # it includes them, which the build system learns only afterwards
    pipeline = passes_dir / "pipeline.py"
    write(out / "PipelinePhases.cpp", cpp.pipeline(load_pipeline(pipeline, passes) if pipeline.exists() else []))


def main() -> None:
    parser = argparse.ArgumentParser(
        description="Generate the C++ side of a pass tree; with --td, first the op models from dialects' .td files."
    )
    parser.add_argument("--passes", type=Path)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--ods", type=Path, help="the op models; written where --td is given, else read")
    parser.add_argument("--stubs", type=Path, help="where to write type stubs of the ops")
    parser.add_argument("--td", action="append", default=[], help="a dialect's .td file, as a #include would name it")
    parser.add_argument("-I", dest="includes", action="append", default=[])
    parser.add_argument("--mlir-bin", type=Path, help="the folder of mlir-pdll and mlir-tblgen")
    args = parser.parse_args()
    if args.mlir_bin:
        for tool in ("mlir-pdll", "mlir-tblgen"):
            use_tool(tool, str(args.mlir_bin / tool))
    try:
        if args.td:
            write(args.ods, ods.to_json(ods.dump(args.td, args.includes)))
        if args.ods:
            ods.load(args.ods)
        if args.stubs:
            write(args.stubs, stubs())
        if args.passes:
            build(args.passes, args.out)
    except DslError as e:
        sys.exit(str(e))


if __name__ == "__main__":
    main()
