"""Pages of docs/ that are made from the pass tree."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from .passes import PassFile, load_tree
from .pipeline import load_pipeline
from .testing import examples

_NOTE = "Generated from passes/ by `python -m disc_dsl docs`; do not edit."


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def pipeline_page(passes: Sequence[PassFile], pipeline: Path) -> str:
    """Every phase and pass in order, with the reasons of the pipeline file."""
    known = {p.name: p for p in passes}
    out = [f"# The pipeline\n\n{_NOTE}\n"]
    out.append(
        "`disc-opt --disc-pipeline` runs it; `--to=<phase>` stops after a phase, `--from=<phase>` starts at one.\n"
    )
    for number, (phase, _) in enumerate(load_pipeline(pipeline, passes), 1):
        out.append(f"## {number}. {phase.name}\n")
        if phase.what:
            out.append(f"{phase.what}\n")
        if phase.steps:
            out.append("| pass | what it does | why here |\n|---|---|---|")
        for s in phase.steps:
            what = "(MLIR)" if s.upstream else _cell(known[s.name].summary)
            out.append(f"| `{s.flag(known)}` | {what} | {s.why} |")
        out.append("")
    return "\n".join(out)


def passes_page(passes: Sequence[PassFile]) -> str:
    """Every pass with its options and, before and after, its patterns."""
    out = [f"# The passes\n\n{_NOTE}\n"]
    for p in passes:
        more = (p.module.__doc__ or "").strip().splitlines()[1:]
        kind = "C++" if p.decl.native else f"patterns, {p.decl.driver}"
        out.append(f"## `--{p.flag}`\n\n{p.summary} (on `{p.decl.on}`; {kind}).\n")
        if any(more):
            out.append("\n".join(more).strip() + "\n")
        if p.decl.option_fields:
            out.append("| option | what it is |\n|---|---|")
            out += [f"| `{f.flag}` | {_cell(f.help)} |" for f in p.decl.option_fields]
            out.append("")
        if p.patterns:
            out.append("| pattern | before -> after |\n|---|---|")
            out += [f"| `{pattern.name}` | `{_cell(pattern.doc.splitlines()[0])}` |" for pattern in p.patterns]
            out.append("")
            for pattern in p.patterns:
                for example in examples(pattern):
                    out.append(f"`{pattern.name}`, before and after:\n\n```mlir\n{example.before}\n```\n")
                    out.append(f"```mlir\n{example.after}\n```\n")
    return "\n".join(out)


def pages(root: Path) -> dict[str, str]:
    """The generated pages by file name; `root` is passes/."""
    passes = load_tree(root)
    return {"pipeline.md": pipeline_page(passes, root / "pipeline.py"), "passes.md": passes_page(passes)}
