"""Running mlir-pdll on generated text; its errors come back at the Python line."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence

from .errors import DslError, Place
from .tools import find_tool


def run_pdll(text: str, places: Sequence[Place], kind: str, name: str) -> str:
    """`mlir-pdll -x=<kind>` on a text; its errors are raised at the Python line."""
    done = subprocess.run(
        [find_tool("mlir-pdll"), f"-x={kind}", "-"], check=False, input=text, capture_output=True, text=True
    )
    if done.returncode == 0:
        return done.stdout.replace('"<stdin>"', f'"{name}"').replace('"-"', f'"{name}"')
    found = re.search(r'^(?:loc\(")?([^"\n]*?)"?:(\d+):\d+\)?: error: (.*)', done.stderr, re.MULTILINE)
    if not found:
        raise DslError(f"mlir-pdll: {done.stderr.strip()}", places[0])
    lines = text.splitlines()
    line = int(found[2]) - 1
    if found[1] not in ("<stdin>", "-"):  # the text of an attribute or type, with places of its own
        line = next((i for i, x in enumerate(lines) if f'<"{found[1]}">' in x.replace('\\"', '"')), 0)
    line = min(line, len(lines) - 1)
    raise DslError(f"mlir-pdll: {found[3]}\n  in the generated line: {lines[line].strip()}", places[line])
