"""A process that holds one peer and one workload, and does what its parent asks.

    build          -> seconds, resident MiB before, note
    first INDEX    -> seconds of the first call at a shape, its error against eager
    time INDEX ... -> median seconds of a call, page faults a call, how long threads waited for a core
    stats          -> memory, and what the peer says of itself
"""

from __future__ import annotations

import gc
import importlib
import os
import resource
import statistics
import time
import traceback
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from system import (
    die_with_parent,
    keep_freed_memory,
    minor_faults,
    prioritise,
    realtime,
    reset_peak,
    run_delay,
    status_mib,
)


@dataclass(frozen=True)
class Job:
    """What a worker is started for. scratch: shared by the workers of a workload; eager leaves its outputs there."""

    workload: str
    peer: str
    threads: int
    nice: int
    scratch: Path
    log: Path


class Worker:
    def __init__(self, job: Job) -> None:
        import torch
        from peers import PEERS
        from workloads import WORKLOADS

        self.job, self.peer = job, PEERS[job.peer]
        torch.set_num_threads(job.threads)
        for module in self.peer.imports:
            importlib.import_module(module)
        self.workload = WORKLOADS[job.workload]()
        torch.manual_seed(7)
        self.model = self.workload.make_model().eval().requires_grad_(False)
        self.model.jax_fn = self.workload.jax_fn
        self.runner: Any = None
        self.loaded: Any = None  # (index, tensors, arguments)
        self.seconds: dict[int, float] = {}  # of the last call seen

    def inputs(self, index: int) -> tuple:
        import torch

        generator = torch.Generator().manual_seed(1000 + index)
        return self.workload.inputs(self.workload.trace[index], generator)

    def arguments(self, index: int) -> Any:
        if self.loaded is None or self.loaded[0] != index:
            self.loaded = None
            tensors = self.inputs(index)
            self.loaded = (index, tensors, self.runner.prepare(*tensors))
        return self.loaded[2]

    def build(self) -> dict[str, Any]:
        from peers import Setup

        example = self.inputs(0)
        gc.collect()
        before = status_mib("VmRSS")
        reset_peak()
        folder = self.job.scratch / self.job.peer
        folder.mkdir(exist_ok=True)
        setup = Setup(self.job.threads, folder, self.workload.bounds)
        begun = time.perf_counter()
        self.runner = self.peer.build(self.model, example, self.workload.dynamic_dims, setup)
        return {"seconds": time.perf_counter() - begun, "before_mib": before, "note": self.runner.note}

    def first(self, index: int) -> dict[str, Any]:
        arguments = self.arguments(index)
        begun = time.perf_counter()
        outputs = self.runner.run(arguments)
        seconds = time.perf_counter() - begun
        outputs = [x.detach() for x in _tensors(self.runner.to_torch(outputs))]
        answer: dict[str, Any] = {"seconds": seconds, "error": 0.0, "scale": 0.0}
        if self.job.peer == "eager":
            answer["cost"] = self.keep(index, outputs)
        elif self.peer.computes:
            answer["error"], answer["scale"] = self.compare(index, outputs)
        return answer

    def keep(self, index: int, outputs: list) -> dict[str, float]:
        """Writes eager's outputs for the others; the bytes and flops that the shape takes at least."""
        import torch
        from torch.utils.flop_counter import FlopCounterMode

        torch.save([x.clone() for x in outputs], self.job.scratch / f"expected-{index}.pt")
        with FlopCounterMode(display=False) as counter:
            self.model(*self.loaded[1])
        tensors = [*self.loaded[1], *outputs]
        # Of an embedding a call reads few rows.
        modules = [m for m in self.model.modules() if not isinstance(m, torch.nn.Embedding)]
        weights = sum(p.numel() * p.element_size() for m in modules for p in m.parameters(recurse=False))
        return {
            "io": sum(x.numel() * x.element_size() for x in tensors),
            "weights": weights,
            "flops": counter.get_total_flops(),
        }

    def compare(self, index: int, outputs: list) -> tuple[float, float]:
        """Largest absolute error against eager, and eager's largest value."""
        import torch

        expected = torch.load(self.job.scratch / f"expected-{index}.pt")
        shapes, want = [tuple(x.shape) for x in outputs], [tuple(x.shape) for x in expected]
        if shapes != want:
            raise RuntimeError(f"expected outputs of shapes {want}, got {shapes}")
        error = max(float((x.float() - y.float()).abs().max()) for x, y in zip(outputs, expected))
        if error != error:
            raise RuntimeError("NaN where eager has a number")
        return error, max(float(y.float().abs().max()) for y in expected)

    def time(self, index: int, budget: float) -> dict[str, float]:
        """Calls for about `budget` seconds. Long calls are not warmed up: the round before did that."""
        arguments, run, clock = self.arguments(index), self.runner.run, time.perf_counter
        begun, calls, last = clock(), 0, self.seconds.get(index, 0.0)
        while last < 0.15 and (calls < 1 or (calls < 30 and clock() - begun < 0.012)):
            start = clock()
            outputs = run(arguments)
            last = clock() - start
            calls += 1
            del outputs
        self.seconds[index] = last
        count = max(1, min(100, int(budget / max(last, 1e-6))))
        for _ in range(3):
            times = [0.0] * count
            waited, begun, faults = run_delay(), clock(), minor_faults()
            for i in range(count):
                start = clock()
                outputs = run(arguments)
                times[i] = clock() - start
                del outputs
            faults, elapsed = minor_faults() - faults, clock() - begun
            delay = (run_delay() - waited) / 1e9 / elapsed
            if delay < 0.1 or self.peer.contends:
                break
            time.sleep(0.05)
        time.sleep(0.004)  # threads that spin go to sleep
        return {
            "seconds": statistics.median(times),
            "faults": faults / count,
            "delay": 0.0 if self.peer.contends else delay,
        }

    def stats(self) -> dict[str, Any]:
        answer = {
            "resident_mib": status_mib("VmRSS"),
            "peak_mib": status_mib("VmHWM"),
            "children_mib": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024,
            **self.runner.stats(),
        }
        reset_peak()
        return answer


def _tensors(outputs: Any) -> list:
    return list(outputs) if isinstance(outputs, (list, tuple)) else [outputs]


def _settle(job: Job) -> None:
    """Priority, threads and output of this process, before anything is imported that looks at them."""
    from peers import PEERS

    die_with_parent()
    os.setsid()
    prioritise(job.nice)
    log = os.open(job.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(log, 1)
    os.dup2(log, 2)
    # Inductor's caches are empty but for what it does once a machine (inductor.py).
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = str(job.scratch / f"inductor-{job.peer}")
    os.environ["OMP_NUM_THREADS"] = os.environ["MKL_NUM_THREADS"] = str(job.threads)
    if PEERS[job.peer].pin and job.threads < (os.cpu_count() or 1):
        os.sched_setaffinity(0, set(range(job.threads)))
    if PEERS[job.peer].pool:
        keep_freed_memory()


def serve(connection: Connection, job: Job) -> None:
    """The worker's main function."""
    from peers import short

    _settle(job)
    import torch

    worker: Worker | None = None
    with torch.no_grad():
        while (message := connection.recv())[0] != "quit":
            try:
                with realtime(job.nice < 0):  # compilers that it starts inherit it
                    worker = worker or Worker(job)
                    answer = getattr(worker, message[0])(*message[1:])
                connection.send(("ok", answer))
            except Exception as error:
                traceback.print_exc()
                connection.send(("error", short(error, 400)))
    connection.close()
    os._exit(0)
