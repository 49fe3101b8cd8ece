"""W8: embedding gathers, small matrix products, a concatenation."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import nn

from .base import Workload, shapes


class Recommender(nn.Module):
    def __init__(self, features: int = 8, rows: int = 20000, d: int = 32) -> None:
        super().__init__()
        self.tables = nn.ModuleList(nn.Embedding(rows, d) for _ in range(features))
        self.bottom1, self.bottom2 = nn.Linear(13, 64), nn.Linear(64, d)
        self.top1, self.top2, self.top3 = nn.Linear((features + 1) * d, 256), nn.Linear(256, 64), nn.Linear(64, 1)

    def forward(self, dense: torch.Tensor, ids: torch.Tensor) -> torch.Tensor:
        d = F.relu(self.bottom2(F.relu(self.bottom1(torch.log1p(dense)))))
        x = torch.cat([table(ids[:, i]) for i, table in enumerate(self.tables)] + [d], -1)
        return torch.sigmoid(self.top3(F.relu(self.top2(F.relu(self.top1(x))))))


class W8(Workload):
    name, title = "W8", "recommender: 8 gathers, bottom MLP, concatenation, top MLP; batch 1 to 4096"
    dynamic_dims = [{0: "B"}] * 2
    trace = shapes("B", [(b,) for b in (32, 1, 7, 100, 512, 3, 1000, 64, 2048, 17, 333, 4096, 250)])

    def make_model(self) -> nn.Module:
        return Recommender()

    def inputs(self, sizes: dict[str, int], generator: torch.Generator) -> tuple[torch.Tensor, ...]:
        b = sizes["B"]
        return (
            torch.rand(b, 13, generator=generator) * 5,
            torch.randint(0, 20000, (b, 8), generator=generator),
        )
