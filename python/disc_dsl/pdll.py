"""Running mlir-pdll on generated text; its errors come back at the Python line."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence

from .errors import DslError, Place
from .tools import find_tool


def run_pdll(text: str, places: Sequence[Place], kind: str, name: str) -> str:
    """`mlir-pdll -x=<kind>` on a text; its errors are raised at the Python line."""
    done = subprocess.run([find_tool("mlir-pdll"), f"-x={kind}", "-"], input=text, capture_output=True, text=True)
    if done.returncode == 0:
        return done.stdout.replace('"<stdin>"', f'"{name}"').replace('"-"', f'"{name}"')
    found = re.search(r'(?:<stdin>|-|loc\("[^"]*")[:"]*(\d+):(\d+)\)?: error: (.*)', done.stderr)
    if not found:
        raise DslError(f"mlir-pdll: {done.stderr.strip()}", places[0])
    line = int(found[1])
    raise DslError(
        f"mlir-pdll: {found[3]}\n  in the generated line: {text.splitlines()[line - 1].strip()}",
        places[min(line, len(places)) - 1],
    )
