"""No peer but a limit: a loop that reads the bytes of a call's inputs and writes those of its outputs, in the same rounds as the peers."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path
from typing import Any

from .base import Peer, Runner, Setup

SOURCE = Path(__file__).parents[1] / "limits.cpp"


def _missing() -> str:
    return "" if shutil.which("g++") else "no g++"


def build_stream(model: Any, example: tuple, dims: list[dict[int, str]], setup: Setup) -> Runner:
    """For workloads whose output is as large as each of their one or two inputs."""
    import torch

    path = setup.scratch / "stream.so"
    flags = ["-O3", "-march=native", "-fopenmp", "-shared", "-fPIC"]
    subprocess.run(["g++", *flags, str(SOURCE), "-o", str(path)], check=True)
    loop = ctypes.CDLL(str(path)).stream
    loop.argtypes = [ctypes.c_void_p] * 3 + [ctypes.c_long]

    def prepare(*tensors: torch.Tensor) -> tuple:
        out = torch.zeros_like(tensors[0])
        pointers = [x.data_ptr() for x in (out, *tensors)]
        return pointers[0], pointers[1], pointers[2] if len(tensors) > 1 else None, out.numel(), out, tensors

    def run(arguments: tuple) -> torch.Tensor:
        loop(*arguments[:4])
        return arguments[4]

    return Runner(run, prepare, note="reads the inputs and writes the output, past the caches where it has 8 MiB and more")


PEERS = {"stream": Peer(build_stream, ("torch",), _missing, f32=False, computes=False, only=("W1", "W2", "W3"))}
