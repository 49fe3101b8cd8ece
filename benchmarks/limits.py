"""What the machine can do, measured in the same run: bandwidth by size, and f32 matrix products."""

from __future__ import annotations

import math
import multiprocessing
import os
import shutil
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path

from system import REALTIME, realtime

SOURCE = Path(__file__).with_name("limits.cpp")


@dataclass
class Limits:
    """gbs:   GB/s of a copy by bytes read and written together, the better of plain and streaming stores
    stream:   GB/s of loops over the largest arrays, by name
    gflops:   GFLOP/s of a product of 2048 x 2048 matrices, by library
    """

    gbs: dict[int, float] = field(default_factory=dict)
    stream: dict[str, float] = field(default_factory=dict)
    gflops: dict[str, float] = field(default_factory=dict)

    @property
    def best_stream(self) -> float:
        """GB/s of the best loop that reads and writes memory beyond the caches."""
        return max(self.stream["copy"], self.stream["copy_streaming"], self.stream["triad"])

    def bandwidth(self, size: float) -> float:
        """GB/s for `size` bytes in all, between the measured sizes; small ones are served by the caches."""
        sizes = sorted(self.gbs)
        if size <= sizes[0] or size >= sizes[-1]:
            return self.gbs[sizes[0] if size <= sizes[0] else sizes[-1]]
        high = next(i for i, at in enumerate(sizes) if at >= size)
        low = sizes[high - 1]
        part = math.log(size / low) / math.log(sizes[high] / low)
        return self.gbs[low] ** (1 - part) * self.gbs[sizes[high]] ** part

    @property
    def peak(self) -> float:
        """GFLOP/s of the best matrix product."""
        return max(self.gflops.values())

    def seconds(self, cost: dict[str, float]) -> float:
        """The least time for {"io", "weights", "flops"}: bytes of inputs and outputs, bytes of weights, flops."""
        parts = (cost["io"], cost["weights"])
        moved = sum(size / self.bandwidth(size) for size in parts if size)
        return max(moved, cost["flops"] / self.peak) / 1e9


class Probe:
    """Measures the limits again and again; `limits` is the best that it saw."""

    def __init__(self, scratch: Path, threads: int, first: bool) -> None:
        """first: timed code runs before everything else (SCHED_RR)."""
        self.threads, self.first, self.seen = threads, first, list[Limits]()
        self.program = scratch / "limits"
        flags = ["-O3", "-march=native", "-fopenmp"]
        subprocess.run(["g++", *flags, str(SOURCE), "-o", str(self.program)], check=True)

    def __call__(self) -> None:
        command = ["chrt", "-r", str(REALTIME)] if self.first and shutil.which("chrt") else []
        environment = {**os.environ, "OMP_NUM_THREADS": str(self.threads)}
        done = subprocess.run(
            [*command, str(self.program)], env=environment, capture_output=True, text=True, check=True
        )
        found = Limits(gflops=self._products())
        for line in done.stdout.splitlines():
            name, size, best, _ = line.split()
            if name.startswith("copy"):
                found.gbs[int(size)] = max(found.gbs.get(int(size), 0.0), float(best))
            found.stream[name] = float(best)  # the last size of a name is the largest
        self.seen.append(found)

    def _products(self) -> dict[str, float]:
        fork = multiprocessing.get_context("fork")
        connection, child = fork.Pipe()
        process = fork.Process(target=_measure_products, args=(child, self.threads, self.first))
        process.start()
        child.close()
        found = connection.recv()
        process.join()
        return found

    @property
    def limits(self) -> Limits:
        """The best of every probe: what disturbs a probe is no limit."""

        def best(name: str) -> dict:
            values = [getattr(s, name) for s in self.seen]
            return {key: max(v[key] for v in values) for key in values[0]}

        return Limits(best("gbs"), best("stream"), best("gflops"))

    def spread(self, of: Callable[[Limits], float]) -> tuple[float, float]:
        return min(map(of, self.seen)), max(map(of, self.seen))


def _measure_products(connection: Connection, threads: int, first: bool) -> None:
    import torch

    torch.set_num_threads(threads)
    n = 2048
    packed = torch.ops.mkldnn._linear_pointwise
    with torch.no_grad():
        a, b, c = torch.randn(n, n), torch.randn(n, n), torch.empty(n, n)
        products: dict[str, Callable[[], object]] = {
            "torch.mm": lambda: torch.mm(a, b, out=c),
            "oneDNN": lambda: packed(a, b, None, "none", [], ""),
        }
        found = {}
        with realtime(first):
            for name, product in products.items():
                product()
                seconds = []
                for _ in range(5):
                    begun = time.perf_counter()
                    product()
                    seconds.append(time.perf_counter() - begun)
                found[name] = 2 * n**3 / min(seconds) / 1e9
    connection.send(found)
    connection.close()
    os._exit(0)
