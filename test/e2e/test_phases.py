"""`disc-opt --disc-pipeline` on the StableHLO text of every model of the zoo: what a phase prints is read again, and the
next one goes on from there to the same end."""

import subprocess
from pathlib import Path

import pytest
from test_models import ENTRIES

import disc
from disc.toolchain import tool

PHASES = ("input", "shape", "graph", "fusion", "bufferize", "runtime", "cpu", "llvm")


def opt(*arguments: str) -> str:
    done = subprocess.run([tool("disc-opt"), *arguments], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


@pytest.mark.parametrize("name", sorted(ENTRIES))
def test_every_phase_prints_what_the_next_one_reads(name: str, tmp_path: Path):
    entry = ENTRIES[name]()
    module = tmp_path / "model.mlir"
    disc.compile(entry.model, entry.inputs(**entry.example), entry.dynamic_shapes, keep_module=module)
    opt("--disc-pipeline", str(module), "-o", str(tmp_path / "whole.mlir"))
    last = module
    for phase in PHASES:
        path = tmp_path / f"{phase}.mlir"
        places = ["--mlir-print-debuginfo"] if phase != PHASES[-1] else []  # they stand in the messages of checks
        opt("--disc-pipeline", f"--from={phase}", f"--to={phase}", *places, str(last), "-o", str(path))
        opt("--verify-roundtrip", str(path), "-o", "/dev/null")
        last = path
    assert last.read_text() == (tmp_path / "whole.mlir").read_text()
