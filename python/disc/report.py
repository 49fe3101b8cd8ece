"""What a compilation did: phases and times, fusions, kernels, what was refused."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass
class Report:
    """Figures of one compilation.

    phases:   phase -> seconds, in order: `imports` of the frontend (once a process), torch models' `torch.export`,
              `decompose` (ATen ops in terms of fewer) and `torch-mlir` (StableHLO); `start` of the compiler's process,
              `parse`, the phases of passes/pipeline.py, LLVM's `translate`, `optimize` and `codegen` (the time that
              passes while several threads run them, by their shares of the work); `link`; `load`
              of code and weights into the runtime
    kernels:  kernel name -> number of launch sites; 0 for one of long rows alone, which takes the place of another
    versions: kernel name -> what it has versions for beside the general one (docs/performance.md)
    kernel_bytes: kernel name -> bytes of its code, all versions together
    fusions:  one record a fusion: {"kind", "ops"}
    stitches: one record a stitch: {"kernels", "products"}, how many launches and products run in it
    arenas:   the arena of intermediate buffers at some sizes: {"buffers", "sizes", "bytes", "bound"}; bound is the most
              bytes of them that are alive at a time
    library:  library call -> number of call sites
    refused:  one record for what was not compiled: {"op", "place", "reason"}
    peak_rss_mib: the compiler process's peak resident memory in MiB
    explanation: with `explain_fusion=True`: kernels, stitches, and why the rest stayed apart (docs/fusion.md)
    """

    phases: dict[str, float] = field(default_factory=dict)
    kernels: dict[str, int] = field(default_factory=dict)
    fusions: list[dict[str, Any]] = field(default_factory=list)
    library: dict[str, int] = field(default_factory=dict)
    refused: list[dict[str, str]] = field(default_factory=list)
    peak_rss_mib: float = 0.0
    stitches: list[dict[str, int]] = field(default_factory=list)
    arenas: list[dict[str, Any]] = field(default_factory=list)
    explanation: str = ""
    versions: dict[str, list[str]] = field(default_factory=dict)
    kernel_bytes: dict[str, int] = field(default_factory=dict)

    @property
    def seconds(self) -> float:
        return sum(self.phases.values())

    @property
    def launches(self) -> int:
        """Launch sites of kernels and stitches; what runs inside of a stitch is part of it."""
        inside = sum(stitch["kernels"] for stitch in self.stitches)
        return sum(self.kernels.values()) - inside + len(self.stitches)

    def to_json(self) -> str:
        return json.dumps(asdict(self), indent=2)

    @staticmethod
    def from_json(text: str) -> "Report":
        return Report(**json.loads(text))

    def __str__(self) -> str:
        lines = [f"compiled in {self.seconds:.2f} s, compiler peak memory {self.peak_rss_mib:.0f} MiB"]
        lines += [f"  {name:<24} {seconds:8.3f} s" for name, seconds in self.phases.items()]
        inside = sum(stitch["kernels"] for stitch in self.stitches)
        products = sum(stitch["products"] for stitch in self.stitches)
        lines.append(
            f"{self.launches} launches: {self.launches - len(self.stitches)} kernels and {len(self.stitches)} stitches "
            f"(of {inside} kernels and {products} products); equal ones share the code of {len(self.kernels)} kernels, "
            f"{sum(self.kernel_bytes.values()) / 1024:.1f} KiB"
        )
        for name, versions in self.versions.items():
            size = self.kernel_bytes.get(name, 0)
            lines.append(f"  {name}: {size} bytes in {len(versions) + 1} versions: {'; '.join([*versions, 'any'])}")
        for arena in self.arenas:
            sizes = f" at {arena['sizes']}" if arena["sizes"] else ""
            planned, bound = arena["bytes"] / 2**20, arena["bound"] / 2**20
            lines.append(
                f"  arena of {arena['buffers']} buffers{sizes}: {planned:.2f} MiB, at most {bound:.2f} MiB alive at a time"
            )
        for name, count in self.library.items():
            lines.append(f"  library call {name}: {count} sites")
        for record in self.refused:
            lines.append(f"  refused {record['op']} at {record['place']}: {record['reason']}")
        if self.explanation:
            lines.append(self.explanation)
        return "\n".join(lines)
