"""Runs the native compiler in a child process and links its object into an artifact's code."""

from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
import time
from pathlib import Path

from .errors import CompileError
from .report import Report
from .stages import explain_fusion
from .toolchain import linker, tool


def compile_text(
    text: str,
    code: Path,
    report: Report,
    options: list[str],
    timeout: float,
    module: Path | None = None,
    explain: bool = False,
    triple: str = "",
    source: Path | None = None,
) -> None:
    """Compiles StableHLO `text` to the shared library `code`; adds times and kernels to `report`, and why ops were not
    fused if `explain`. `triple` names another machine that it is for, `source` the file that messages name.

    Raises CompileError with the compiler's diagnostics. The text is written to `module` if that is given. Without it,
    a compiler that crashed or did not finish leaves the text in a temporary file; the error names the file.
    """
    link = linker(triple)  # before minutes of work, not after
    with tempfile.TemporaryDirectory(prefix="disc-") as folder:
        # Under the name that the user gave it: places in messages, also at run time, have the file's name.
        file = module or Path(folder, source.name if source else "model.mlir")
        shown = str(file if module else source or file.name)
        obj, figures = Path(folder, "object", "model.o"), Path(folder, "object", "report.json")
        obj.parent.mkdir()
        file.write_text(text)
        started = time.perf_counter()
        command = [str(tool("disc-compile")), str(file), "-o", str(obj), f"--report={figures}", *options]
        command.append(f"--jobs={_jobs()}")
        if triple:
            command.append(f"--target-triple={triple}")
        _run(command, file, shown, module, timeout)
        seconds = time.perf_counter() - started
        native = json.loads(figures.read_text().replace(_quoted(file), _quoted(shown))) if figures.exists() else {}
        phases = native.get("phases", {})
        report.phases["start"] = seconds - sum(phases.values())
        report.phases.update(phases)
        for name in ("kernels", "fusions", "stitches", "arenas", "library", "refused", "versions", "kernel_bytes"):
            if name in native:
                setattr(report, name, native[name])
        report.peak_rss_mib = native.get("peak_rss_mib", 0.0)
        if explain:
            report.explanation = explain_fusion(file).replace(str(file), shown)

        started = time.perf_counter()
        command = [link, "-shared", "-o", str(code), *map(str, sorted(obj.parent.glob("model.o*"))), "-lm"]
        linked = subprocess.run(command, capture_output=True, text=True, check=False)
        if linked.returncode:
            raise CompileError(f"linking failed: {' '.join(command)}\n{linked.stderr}", diagnostics=linked.stderr)
        report.phases["link"] = time.perf_counter() - started


def _quoted(path: object) -> str:
    """As JSON has it inside of a string."""
    return json.dumps(str(path), ensure_ascii=False)[1:-1]


def _jobs() -> int:
    """What LLVM may run in: the processors of this process; more than a few find nothing to do."""
    return min(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1, 8)


def _run(command: list[str], source: Path, shown: str, module: Path | None, timeout: float) -> None:
    try:
        result = subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)
    except subprocess.TimeoutExpired as error:
        kept = str(module or _keep(source))
        message = f"the compiler did not finish in {timeout:.0f} s\n  (module kept in {kept})"
        raise CompileError(message, reproducer=kept) from error
    if result.returncode == 0:
        return
    # The temporary file is gone when this is read.
    diagnostics = result.stderr.strip().replace(str(source), shown)
    # A line of the module that an error shows may hold a constant of any length.
    diagnostics = "\n".join(line if len(line) < 1000 else line[:1000] + " ..." for line in diagnostics.splitlines())
    errors = [line for line in diagnostics.splitlines() if re.search(r"\berror:", line)]
    if result.returncode > 0 and errors:
        kept = None if module is None else str(module)
        raise CompileError("\n".join(errors[:10]), diagnostics=diagnostics, reproducer=kept)
    if result.returncode < 0:
        summary = f"the compiler died of signal {-result.returncode}; please report it with the module"
    else:
        failed = f"the compiler failed with {result.returncode}; please report it with the module"
        summary = diagnostics[-2000:] or failed
    kept = str(module or _keep(source))
    raise CompileError(f"{summary}\n  (module kept in {kept})", diagnostics=diagnostics, reproducer=kept)


def _keep(source: Path) -> str:
    with tempfile.NamedTemporaryFile("w", prefix="disc-reproducer-", suffix=".mlir", delete=False) as file:
        file.write(source.read_text())
    return file.name
