"""The `disc` command: compile, interpret, bisect, report."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from .errors import DiscError

_EPILOG = "exit status: 0 done and equal, 1 a difference was found, 2 wrong usage, or the model was refused or failed"


def _model(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", type=Path, help="a `.mlir` file (StableHLO, MHLO, CHLO or DHLO text)")


def _data(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--inputs", type=Path, metavar="FILE.npz", help="arrays in0, in1, ...; made up where not given")
    parser.add_argument("--constants", type=Path, metavar="FILE", help="weights by name, .npz or .safetensors")
    parser.add_argument(
        "--size",
        action="append",
        default=[],
        metavar="[NAME=]N",
        help="of dynamic dimensions of made up inputs: by symbol, by `input.dimension`, or all others (default 4)",
    )
    parser.add_argument("--seed", type=int, default=0, help="of made up inputs")


def _pass(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--load-pass", type=Path, metavar="FILE.py", help="also run a pass written with disc_dsl")
    parser.add_argument("--after", metavar="PHASE", default="graph", help="the phase it runs after (default: graph)")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="disc", description=__doc__, epilog=_EPILOG)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    p = commands.add_parser("compile", help="compile a model to an artifact", epilog=_EPILOG)
    _model(p)
    p.add_argument("-o", "--output", type=Path, required=True, metavar="FOLDER", help="the artifact")
    p.add_argument("--explain-fusion", action="store_true", help="also report what was fused, and why not more")
    p.add_argument("--target", metavar="TRIPLE", help="another machine that it is for, say aarch64-linux-gnu")
    p.add_argument("--cpu", help="the processor there, as LLVM names it (default: generic)")
    p.set_defaults(run=_compile)

    p = commands.add_parser("interpret", help="run a model in the reference interpreter", epilog=_EPILOG)
    _model(p)
    _data(p)
    p.add_argument("--outputs", type=Path, metavar="FILE.npz", help="where outputs go (default: printed)")
    p.add_argument("--to", metavar="PHASE", help="run what the pipeline makes of it up to this phase")
    _pass(p)
    p.set_defaults(run=_interpret)

    p = commands.add_parser("bisect", help="find the first pass that changes what a model computes", epilog=_EPILOG)
    _model(p)
    _data(p)
    p.add_argument("--to", metavar="PHASE", default="cpu", help="the last phase to interpret (default: cpu)")
    p.add_argument("--rtol", type=float, help="relative tolerance of floats (default: by type)")
    p.add_argument("--timeout", type=float, default=120, help="seconds for the IR after a pass (default: 120)")
    p.add_argument("--no-compile", action="store_true", help="passes only, no compiled code")
    p.add_argument("-v", "--verbose", action="store_true", help="a line for each pass")
    _pass(p)
    p.set_defaults(run=_bisect)

    p = commands.add_parser("report", help="print what the compiler did", epilog=_EPILOG)
    p.add_argument("artifact", type=Path, metavar="FOLDER|MODEL", help="an artifact, or a `.mlir` file to compile")
    p.add_argument(
        "--explain-fusion",
        nargs="?",
        const="",
        metavar="A,B",
        help="of a `.mlir` file: why ops are in one kernel or stitch, or apart; or why A and B are (LINE, LINE:COLUMN "
        "or the name of an op)",
    )
    p.set_defaults(run=_report)
    return parser


def _inputs(args: argparse.Namespace) -> list:
    from . import arrays, interpreter

    types = interpreter.signature(args.model)
    if args.inputs:
        return arrays.load(args.inputs, types)
    sizes = {}
    for text in args.size:
        name, _, number = text.rpartition("=")
        if not number.isdigit():
            raise DiscError(f"--size {text}: expected N or NAME=N")
        sizes[name] = int(number)
    return arrays.made_up(types, sizes, args.seed)


def _constants(args: argparse.Namespace) -> dict:
    if args.constants is None:
        return {}
    if args.constants.suffix == ".safetensors":
        from safetensors import SafetensorError
        from safetensors.numpy import load_file

        try:
            return load_file(args.constants)
        except SafetensorError as error:
            raise DiscError(f"{args.constants}: not a .safetensors file: {error}") from error
    from . import arrays

    return arrays.read(args.constants)


def _user_pass(args: argparse.Namespace):
    from .stages import UserPass

    return UserPass.load(args.load_pass, args.after) if args.load_pass else None


def _compile(args: argparse.Namespace) -> int:
    from .api import compile, cross_compile

    if args.cpu and not args.target:
        raise DiscError("`--cpu` is of another machine: `--target` has to name it")
    if args.target and args.explain_fusion:
        raise DiscError("`--explain-fusion` does not go with `--target`; `disc report MODEL.mlir --explain-fusion` tells")
    if args.target:
        print(cross_compile(args.model, args.output, triple=args.target, cpu=args.cpu or "generic"))
        return 0
    compiled = compile(args.model, explain_fusion=args.explain_fusion)
    compiled.save(args.output)
    print(compiled.report)
    return 0


def _report(args: argparse.Namespace) -> int:
    from . import artifact
    from .report import Report

    if args.artifact.is_file():
        if args.explain_fusion is not None:
            from .stages import explain_fusion

            first, _, second = args.explain_fusion.partition(",")
            print(explain_fusion(args.artifact, first, second))
            return 0
        from .api import compile

        print(compile(args.artifact).report)
        return 0
    if args.explain_fusion is not None:
        raise DiscError(f"--explain-fusion: expected a `.mlir` file, got {args.artifact}")
    print(Report.from_json(artifact.read(args.artifact)[2]["report"]))
    return 0


def _interpret(args: argparse.Namespace) -> int:
    from . import arrays, interpreter
    from .stages import lower

    inputs = _inputs(args)
    user = _user_pass(args)
    to = args.to or (args.after if user else None)
    outputs = interpreter.run(lower(args.model, to, user) if to else args.model, inputs, constants=_constants(args))
    if args.outputs:
        arrays.save(args.outputs, outputs)
    else:
        for i, output in enumerate(outputs):
            print(f"output {i}: {getattr(output, 'dtype', '')}{list(getattr(output, 'shape', []))}\n{output}")
    return 0


def _bisect(args: argparse.Namespace) -> int:
    from . import arrays
    from .bisect import bisect

    inputs = _inputs(args)
    verdict = bisect(
        args.model,
        inputs,
        constants=_constants(args),
        to=args.to,
        user=_user_pass(args),
        compiled=not args.no_compile,
        relative=args.rtol,
        timeout=args.timeout,
        progress=print if args.verbose else lambda _: None,
    )
    print(verdict.text)
    for stage, why in verdict.unread:
        print(f"  not interpreted: {stage}: {why}")
    if not verdict.agrees and not args.inputs:
        with tempfile.NamedTemporaryFile(prefix="disc-inputs-", suffix=".npz", delete=False) as file:
            arrays.save(Path(file.name), inputs, prefix="in")
        print(f"  inputs kept in {file.name}")
    return 0 if verdict.agrees else 1


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command; see `disc --help`."""
    args = _parser().parse_args(argv)
    if getattr(args, "model", None) is not None and not args.model.exists():
        print(f"error: {args.model}: no such file; expected a `.mlir` file", file=sys.stderr)
        return 2
    try:
        return args.run(args)
    except (DiscError, OSError) as error:
        print(f"error: {error}" if "error:" not in str(error) else str(error), file=sys.stderr)
        return 2
