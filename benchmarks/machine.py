"""What a run was made with: versions, machine, date."""

from __future__ import annotations

import os
import platform
import subprocess
import time
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PACKAGES = ("torch", "transformers", "onnxruntime", "onnx", "onnxscript", "openvino", "iree-base-compiler",
            "iree-base-runtime", "torch-mlir", "jax", "numpy", "scipy-openblas32")  # fmt: skip


def processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def features() -> list[str]:
    """Those of the vector units that matter here."""
    flags: set[str] = set()
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("flags"):
            flags = set(line.split(":", 1)[1].split())
            break
    return [flag for flag in ("avx2", "avx512f", "avx512_bf16", "amx_bf16") if flag in flags]


def revision() -> str:
    git = ["git", "-C", str(Path(__file__).parent), "rev-parse", "--short", "HEAD"]
    done = subprocess.run(git, capture_output=True, text=True)
    return done.stdout.strip() or "unknown revision"


def versions() -> list[str]:
    found = []
    for package in PACKAGES:
        try:
            found.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            found.append(f"{package} absent")
    return found


def describe(command: str, seconds: float) -> list[str]:
    """Paragraphs for the head of a report."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    cores = f"{processor()}, {os.cpu_count()} cores, {memory:.0f} GiB, {', '.join(features())}"
    return [
        f"Made by `{command}` in {seconds:.0f} s; do not edit.",
        "",
        f" - {time.strftime('%Y-%m-%d %H:%M')}, DISC {revision()}",
        f" - {cores}, Linux {platform.release()}",
        f" - Python {platform.python_version()}, {', '.join(versions())}",
    ]
