"""The `disc-dsl` command: `new`, `emit`, `explain`, `stats`, `docs`, `stubs`."""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from . import ods
from .docs import pages
from .emit import pass_text
from .errors import DslError
from .passes import load_pass
from .pdll import run_pdll
from .stubs import stubs
from .tools import find_tool, use_tool

_PASS = '''"""{summary}."""

from disc_dsl import Pass, Value, pattern, replace, require, rewrite
from disc_dsl.constraints import is_float
from disc_dsl.ops import dhlo


@pattern
def {name}(x: Value):
    """abs(-x) -> abs(x) for floats"""
    root = dhlo.abs(dhlo.negate(x))
    require(is_float(x))
    with rewrite(root):
        replace(root, dhlo.abs(x))


PASS = Pass(on="func.func")
'''
_LIT = """// RUN: disc-opt --load-pass %root/passes/{stage}/{name}.py --{flag} %s | filecheck %s

// CHECK-LABEL: @{name}(
// CHECK-SAME: %[[X:.*]]: tensor<?xf32>
// CHECK-NEXT: %[[R:.*]] = dhlo.abs %[[X]]
// CHECK-NEXT: return %[[R]]
func.func @{name}(%x: tensor<?xf32>) -> tensor<?xf32> {{
  %a = dhlo.negate %x : tensor<?xf32>
  %r = dhlo.abs %a : tensor<?xf32>
  return %r : tensor<?xf32>
}}

// CHECK-LABEL: @{name}_not_int
// CHECK: dhlo.negate
func.func @{name}_not_int(%x: tensor<?xi32>) -> tensor<?xi32> {{
  %a = dhlo.negate %x : tensor<?xi32>
  %r = dhlo.abs %a : tensor<?xi32>
  return %r : tensor<?xi32>
}}
"""


def new(path: Path) -> list[Path]:
    """Writes `passes/<stage>/<stem>.py` and its lit file; both work as they are."""
    path = path.with_suffix(".py")
    folder, stem = path.resolve().parent, path.stem
    stage, root = folder.name, folder.parent.parent
    if folder.parent.name != "passes":
        raise SystemExit(f"error: expected `passes/<stage>/<stem>`, got `{path.with_suffix('')}`")
    lit = root / "test" / "lit" / "passes" / stage / f"{stem}.mlir"
    for p in (path, lit):
        if p.exists():
            raise SystemExit(f"error: `{p}` exists")
        p.parent.mkdir(parents=True, exist_ok=True)
    flag = f"disc-{stage}-{stem}".replace("_", "-")
    path.write_text(_PASS.format(summary=stem.replace("_", " ").capitalize(), name=stem))
    lit.write_text(_LIT.format(flag=flag, stage=stage, name=stem))
    return [path, lit]


def explain(pattern: str, model: Path, more: list[str]) -> int:
    """Runs `disc-opt --explain` with this Python."""
    command = [find_tool("disc-opt"), f"--explain={pattern}", f"--python={sys.executable}", *more, str(model)]
    return subprocess.run(command, check=False).returncode


def stats(models: list[Path], more: list[str]) -> int:
    """Runs disc-opt over models (the pipeline, or what `more` says); sums the counts, names what never matched."""
    total: dict[tuple[str, str, str], list[float]] = {}
    failed = 0
    for model in models:
        command = [find_tool("disc-opt"), "--disc-pattern-stats", "-o", "/dev/null", f"--python={sys.executable}"]
        command += [*(more or ["--disc-pipeline"]), str(model)]
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        head, found, table = done.stderr.rpartition("ms  where\n")
        if done.returncode or not found:
            print(f"{model}: disc-opt failed\n{head if found else done.stderr}", file=sys.stderr)
            failed = 1
            continue
        for line in table.splitlines():
            name, pattern, matched, tried, ms, place = line.split(maxsplit=5)
            row = total.setdefault((name, pattern, place), [0, 0, 0.0])
            for i, n in enumerate((int(matched), int(tried), float(ms))):
                row[i] += n
    width = max([len(n) + len(p) for n, p, _ in total], default=0) + 1
    print(f"{'pass pattern':{width}}   matched     tried        ms  where")
    for (name, pattern, place), row in sorted(total.items(), key=lambda r: (r[0][0], -r[1][0])):
        print(f"{name + ' ' + pattern:{width}}  {row[0]:8}  {row[1]:8}  {row[2]:8.3f}  {place}")
    never = [f"{pattern} ({place})" for (_, pattern, place), row in total.items() if not row[0]]
    print(f"never matched on {len(models)} models: {len(never)} of {len(total)} patterns", *sorted(never), sep="\n  ")
    return failed


def main() -> None:
    parser = argparse.ArgumentParser(prog="disc-dsl", description="Passes written in Python.")
    parser.add_argument("--ods", type=Path, help="the op models (default: those of the installation or build tree)")
    commands = parser.add_subparsers(dest="command", required=True)
    p = commands.add_parser("new", help="write a pass and its lit file")
    p.add_argument("path", type=Path, help="passes/<stage>/<stem>")
    p = commands.add_parser("emit", help="print the PDLL of a pass file")
    p.add_argument("file", type=Path)
    p.add_argument("--pdl", action="store_true", help="print PDL, as mlir-pdll makes it, instead")
    p = commands.add_parser("explain", help="say where a pattern stopped matching; further options are disc-opt's")
    p.add_argument("pattern", help="FILE.py:pattern")
    p.add_argument("model", type=Path, help="an MLIR file")
    p.add_argument("--disc-opt", metavar="PATH", help="default: the installed or built one")
    p = commands.add_parser("stats", help="how often each pattern matches on models; further options are disc-opt's")
    p.add_argument("models", type=Path, nargs="+", help="MLIR files")
    p = commands.add_parser("stubs", help="write type stubs of disc_dsl.ops, for an editor")
    p.add_argument("--out", type=Path, default=Path(__file__).parent / "ops" / "__init__.pyi")
    p = commands.add_parser("docs", help="write the pages made from the pass tree")
    p.add_argument("--passes", type=Path, default=Path("passes"))
    p.add_argument("--out", type=Path, default=Path("docs"))
    args, more = parser.parse_known_args()
    if more and args.command not in ("explain", "stats"):
        parser.error(f"unrecognized arguments: {' '.join(more)}")
    try:
        if args.ods:
            ods.load(args.ods)
        if args.command == "new":
            print("\n".join(map(str, new(args.path))))
        elif args.command == "emit":
            text, places = pass_text(load_pass(args.file))
            print(run_pdll(text, places, "mlir", args.file.stem) if args.pdl else text, end="")
        elif args.command == "explain":
            if args.disc_opt:
                use_tool("disc-opt", args.disc_opt)
            sys.exit(explain(args.pattern, args.model, more))
        elif args.command == "stats":
            sys.exit(stats(args.models, more))
        elif args.command == "stubs":
            args.out.write_text(stubs())
        else:
            for name, page in pages(args.passes).items():
                (args.out / name).write_text(page)
    except DslError as e:
        sys.exit(str(e))
