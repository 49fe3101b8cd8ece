"""Runs the native compiler in a child process and links its object into an artifact's code."""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
import time
from pathlib import Path

from .errors import CompileError
from .report import Report
from .toolchain import linker, tool


def compile_text(text: str, code: Path, report: Report, options: list[str], timeout: float) -> None:
    """Compiles StableHLO `text` to the shared library `code`; adds times and kernels to `report`.

    Raises CompileError with the compiler's diagnostics; the module is then kept in a file that the error names.
    """
    link = linker()  # before minutes of work, not after
    with tempfile.TemporaryDirectory(prefix="disc-") as folder:
        source, obj, figures = Path(folder, "model.mlir"), Path(folder, "model.o"), Path(folder, "report.json")
        source.write_text(text)
        started = time.perf_counter()
        command = [str(tool("disc-compile")), str(source), "-o", str(obj), f"--report={figures}", *options]
        _run(command, text, timeout)
        native = json.loads(figures.read_text()) if figures.exists() else {}
        for name, seconds in native.get("phases", {}).items():
            report.phases[name] = seconds
        if not native.get("phases"):
            report.phases["compile"] = time.perf_counter() - started
        for name in ("kernels", "fusions", "library", "refused"):
            if name in native:
                setattr(report, name, native[name])
        report.peak_rss_mib = native.get("peak_rss_mib", 0.0)

        started = time.perf_counter()
        command = [link, "-shared", "-o", str(code), str(obj), "-lm"]
        linked = subprocess.run(command, capture_output=True, text=True, check=False)
        if linked.returncode:
            raise CompileError(f"linking failed: {' '.join(command)}\n{linked.stderr}", diagnostics=linked.stderr)
        report.phases["link"] = time.perf_counter() - started


def _run(command: list[str], text: str, timeout: float) -> None:
    try:
        result = subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)
    except subprocess.TimeoutExpired as error:
        raise CompileError(f"the compiler did not finish in {timeout:.0f} s", reproducer=_keep(text)) from error
    if result.returncode == 0:
        return
    reproducer = _keep(text)
    diagnostics = result.stderr.strip()
    errors = [line for line in diagnostics.splitlines() if re.search(r"\berror:", line)]
    if result.returncode < 0:
        summary = f"the compiler died of signal {-result.returncode}; please report it with the module"
    else:
        summary = "\n".join(errors[:10]) or diagnostics[-2000:] or f"the compiler failed with {result.returncode}"
    raise CompileError(f"{summary}\n  (module kept in {reproducer})", diagnostics=diagnostics, reproducer=reproducer)


def _keep(text: str) -> str:
    with tempfile.NamedTemporaryFile("w", prefix="disc-reproducer-", suffix=".mlir", delete=False) as file:
        file.write(text)
    return file.name
