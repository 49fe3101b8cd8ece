"""Single kernels of models, with the bytes and flops that they take at least."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

Sizes = dict[str, int]


@dataclass(frozen=True)
class Case:
    """A model of one kernel.

    dims:   for each input {dimension: symbol}
    inputs: sizes -> tensors
    sizes:  what it runs at, from fitting the first caches to memory
    bytes:  sizes -> bytes read and written at least; None: inputs and outputs. `constants` are counted by it.
    flops:  sizes -> flops of matrix products
    """

    name: str
    model: nn.Module
    dims: list[dict[int, str]]
    inputs: Callable[[Sizes], tuple[torch.Tensor, ...]]
    sizes: list[Sizes]
    bytes: Callable[[Sizes], float] | None = None
    flops: Callable[[Sizes], float] | None = None


class Function(nn.Module):
    """A module of a function and its constants."""

    def __init__(self, function: Callable[..., Any], *constants: torch.Tensor) -> None:
        super().__init__()
        self.function = function
        for i, constant in enumerate(constants):
            self.register_buffer(f"constant{i}", constant)

    def forward(self, *tensors: torch.Tensor) -> torch.Tensor:
        constants = [value for name, value in self.named_buffers()]
        return self.function(*tensors, *constants)


def _chain(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    e = torch.tanh(torch.sigmoid(x * 1.5 + y) * x - y)
    return torch.relu(torch.clamp(torch.rsqrt(torch.abs(e) + 0.1), max=2.0) * e)


def _masked_softmax(x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    return torch.softmax((x * 0.125).masked_fill(~mask[:, None, None, :], -1e9), -1)


def _rows(*widths: tuple[int, int]) -> list[Sizes]:
    return [{"N": n, "M": m} for n, m in widths]


MATRIX = [{0: "N", 1: "M"}]
ROWS = [{0: "N"}]


def _one(sizes: Sizes) -> tuple[torch.Tensor, ...]:
    return (torch.randn(sizes["N"], sizes["M"]),)


def _fixed(width: int) -> Callable[[Sizes], tuple[torch.Tensor, ...]]:
    return lambda sizes: (torch.randn(sizes["N"], width),)


def fusion_cases() -> list[Case]:
    """Memory-bound kernels."""
    torch.manual_seed(1)
    table = torch.randn(30000, 768)
    norm = nn.LayerNorm(768)
    return [
        Case("softmax", Function(lambda x: torch.softmax(x, -1)), MATRIX, _one,
             _rows((64, 7), (64, 128), (2048, 512), (37, 333), (32768, 512))),
        Case("masked softmax", Function(_masked_softmax), [{0: "B", 2: "S", 3: "S"}, {0: "B", 1: "S"}],
             lambda s: (torch.randn(s["B"], 12, s["S"], s["S"]), torch.rand(s["B"], s["S"]) > 0.2),
             [{"B": 1, "S": 37}, {"B": 2, "S": 128}, {"B": 4, "S": 384}]),
        Case("layer norm", norm, ROWS, _fixed(768), [{"N": n} for n in (7, 128, 1024, 16384)]),
        Case("bias, GELU", Function(lambda x, b: F.gelu(x + b), torch.randn(3072)), ROWS, _fixed(3072),
             [{"N": n} for n in (7, 128, 512, 4096)]),
        Case("bias, tanh GELU", Function(lambda x, b: F.gelu(x + b, approximate="tanh"), torch.randn(3072)), ROWS,
             _fixed(3072), [{"N": n} for n in (7, 128, 512, 4096)]),
        Case("12 elementwise ops", Function(_chain), MATRIX * 2, lambda s: _one(s) + _one(s),
             _rows((5, 5), (64, 1000), (512, 768), (4096, 3072))),
        Case("add", Function(lambda x, y: x + y), MATRIX * 2, lambda s: _one(s) + _one(s),
             _rows((5, 5), (64, 1000), (512, 768), (4096, 3072))),
        Case("row sum", Function(lambda x: x.sum(1)), MATRIX, _one,
             _rows((64, 1000), (512, 768), (8, 200000), (8192, 2048))),
        Case("column sum", Function(lambda x: x.sum(0)), MATRIX, _one,
             _rows((64, 1000), (512, 768), (200000, 1), (200000, 3), (200000, 8), (100000, 64), (8192, 2048))),
        Case("middle sum", Function(lambda x: x.sum(1)), [{0: "B", 1: "N", 2: "M"}],
             lambda s: (torch.randn(s["B"], s["N"], s["M"]),),
             [{"B": 1, "N": 20000, "M": 16}, {"B": 32, "N": 2000, "M": 8}, {"B": 8, "N": 1000, "M": 768}]),
        Case("sum of all", Function(lambda x: x.sum()), MATRIX, _one,
             _rows((64, 1000), (1000, 1000), (1000000, 10), (10000000, 1))),
        Case("maximum of all", Function(lambda x: x.amax()), MATRIX, _one, _rows((64, 1000), (1000000, 8))),
        Case("transpose", Function(lambda x: x.t().contiguous()), MATRIX, _one,
             _rows((64, 100), (333, 777), (2048, 2048), (4096, 4096))),
        Case("gather of rows", Function(lambda ids, t: t[ids], table), ROWS,
             lambda s: (torch.randint(0, 30000, (s["N"],)),), [{"N": n} for n in (7, 128, 2048, 32768)],
             bytes=lambda s: s["N"] * (2 * 768 * 4 + 8)),
        Case("concatenation", Function(lambda x, y: torch.cat([x, y], 1)), [{0: "N", 1: "M"}, {0: "N", 1: "K"}],
             lambda s: (torch.randn(s["N"], s["M"]), torch.randn(s["N"], s["K"])),
             [{"N": 64, "M": 100, "K": 30}, {"N": 1024, "M": 512, "K": 256}, {"N": 8192, "M": 1024, "K": 1024}]),
    ]  # fmt: skip


class Linear(nn.Module):
    def __init__(self, k: int, n: int, after: Callable[[torch.Tensor], torch.Tensor] | None = None) -> None:
        super().__init__()
        self.linear, self.after = nn.Linear(k, n), after

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.linear(x)
        return self.after(y) if self.after else y


def product_cases() -> list[Case]:
    """Matrix products of BERT-base: constant weights with their epilogues, and those of attention."""
    torch.manual_seed(1)
    made = []
    for k, n, name, after in ((768, 768, "linear 768 to 768", None), (768, 3072, "linear 768 to 3072, GELU", F.gelu),
                              (3072, 768, "linear 3072 to 768", None)):  # fmt: skip
        made.append(
            Case(name, Linear(k, n, after), ROWS, _fixed(k), [{"N": m} for m in (1, 7, 32, 128, 512)],
                 bytes=lambda s, k=k, n=n: 4.0 * (s["N"] * (k + n) + k * n + n),
                 flops=lambda s, k=k, n=n: 2.0 * s["N"] * k * n)
        )  # fmt: skip
    heads = [{"B": 1, "S": 7}, {"B": 2, "S": 100}, {"B": 1, "S": 384}, {"B": 8, "S": 64}]
    made.append(
        Case("attention scores", Function(lambda q, k: torch.matmul(q, k.transpose(-1, -2)) * 0.125),
             [{0: "B", 2: "S"}] * 2, lambda s: tuple(torch.randn(s["B"], 12, s["S"], 64) for _ in range(2)), heads,
             flops=lambda s: 2.0 * s["B"] * 12 * s["S"] ** 2 * 64)
    )  # fmt: skip
    made.append(
        Case("attention values", Function(torch.matmul), [{0: "B", 2: "S", 3: "S"}, {0: "B", 2: "S"}],
             lambda s: (torch.rand(s["B"], 12, s["S"], s["S"]), torch.randn(s["B"], 12, s["S"], 64)), heads,
             flops=lambda s: 2.0 * s["B"] * 12 * s["S"] ** 2 * 64)
    )  # fmt: skip
    return made
