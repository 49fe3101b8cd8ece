"""What inductor does once a machine (it checks the compiler and precompiles torch's headers), done beforehand."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from peers import PEERS

PROGRAM = """
import sys, time, torch, torch._dynamo, torch._inductor.compile_fx, torch.export, torch._inductor
class Model(torch.nn.Module):
    def forward(self, x): return torch.erfinv(x * 3.25)
x = torch.rand(5, 7)
begun = time.time(); torch.compile(Model(), dynamic=True)(x); jit = time.time() - begun
begun = time.time()
program = torch.export.export(Model(), (x,), dynamic_shapes=[{0: torch.export.Dim.DYNAMIC}])
torch._inductor.aoti_compile_and_package(program, package_path=sys.argv[1])
print(f"WARM torch.compile {jit:.1f} s, AOTInductor {time.time() - begun:.1f} s")
"""


def warm_up(peers: list[str], scratch: Path) -> str:
    """Fills scratch/inductor, which workers copy. What it took, or "" where no peer is inductor."""
    if not any("inductor" in module for name in peers for module in PEERS[name].imports):
        return ""
    environment = {**os.environ, "TORCHINDUCTOR_CACHE_DIR": str(scratch / "inductor")}
    command = [sys.executable, "-c", PROGRAM, str(scratch / "warm.pt2")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    found = [line.removeprefix("WARM ") for line in done.stdout.splitlines() if line.startswith("WARM")]
    return found[0] if found else f"failed: {done.stderr[-300:]}"
