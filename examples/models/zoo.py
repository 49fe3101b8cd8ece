"""Each entry: a module, example inputs, torch.export dynamic shapes, and inputs for given sizes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Callable

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.export import Dim


@dataclass
class Entry:
    """`inputs(**sizes)` makes inputs; `sizes` is the list of size dicts that one artifact must serve."""

    model: nn.Module
    inputs: Callable[..., tuple]
    example: dict[str, int]
    dynamic_shapes: Any
    sizes: list[dict[str, int]]
    tolerance: float = 1e-4


def _generator(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


class Bert(nn.Module):
    """BERT encoder from transformers, eager attention. ids, mask i64[b, s] -> f32[b, s, hidden]."""

    def __init__(self, **config: Any) -> None:
        super().__init__()
        from transformers import BertConfig, BertModel

        cfg = BertConfig(**config)
        cfg._attn_implementation = "eager"
        self.bert = BertModel(cfg, add_pooling_layer=False)

    def forward(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        return self.bert(input_ids=ids, attention_mask=mask).last_hidden_state


def bert(layers: int = 12, hidden: int = 768) -> Entry:
    def inputs(b: int, s: int) -> tuple:
        g = _generator()
        ids = torch.randint(0, 1000, (b, s), generator=g)
        mask = torch.ones(b, s, dtype=torch.int64)
        for row in range(1, b):  # padded batch: every row but the first is shorter
            mask[row, max(1, s - (row * s) // (2 * b)) :] = 0
        return ids, mask

    torch.manual_seed(0)
    dims = {0: Dim("b", max=64), 1: Dim("s", max=512)}
    sizes = [dict(b=b, s=s) for b in (1, 2, 5, 8) for s in (1, 7, 64, 128, 257, 384)]
    model = Bert(hidden_size=hidden, num_hidden_layers=layers).eval()
    return Entry(model, inputs, dict(b=3, s=16), (dims, dims), sizes)


class Gpt2(nn.Module):
    """GPT-2 style decoder prefill: ids i64[b, s] -> last-token logits f32[b, vocab]."""

    def __init__(self, vocab: int = 8192, context: int = 1024, width: int = 768, heads: int = 12, layers: int = 2):
        super().__init__()
        self.heads = heads
        self.wte, self.wpe = nn.Embedding(vocab, width), nn.Embedding(context, width)
        self.blocks = nn.ModuleList(
            nn.ModuleDict(
                dict(
                    ln1=nn.LayerNorm(width),
                    qkv=nn.Linear(width, 3 * width),
                    proj=nn.Linear(width, width),
                    ln2=nn.LayerNorm(width),
                    up=nn.Linear(width, 4 * width),
                    down=nn.Linear(4 * width, width),
                )
            )
            for _ in range(layers)
        )
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, vocab, bias=False)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        b, s = ids.shape
        positions = torch.arange(s)
        x = self.wte(ids) + self.wpe(positions)
        causal = positions[None, :] <= positions[:, None]
        for block in self.blocks:
            q, k, v = block["qkv"](block["ln1"](x)).split(x.shape[-1], -1)
            q, k, v = (t.reshape(b, s, self.heads, -1).transpose(1, 2) for t in (q, k, v))
            scores = torch.matmul(q, k.transpose(-1, -2)) * (1.0 / math.sqrt(q.shape[-1]))
            scores = torch.softmax(scores.masked_fill(~causal, -1e9), -1)
            attended = torch.matmul(scores, v).transpose(1, 2).reshape(b, s, -1)
            x = x + block["proj"](attended)
            x = x + block["down"](F.gelu(block["up"](block["ln2"](x)), approximate="tanh"))
        return self.head(self.norm(x)[:, -1])


def gpt2(layers: int = 2) -> Entry:
    torch.manual_seed(0)
    sizes = [dict(b=b, s=s) for b, s in [(1, 1), (2, 16), (1, 5), (4, 25), (1, 128), (3, 50), (1, 511)]]
    return Entry(
        Gpt2(layers=layers).eval(),
        lambda b, s: (torch.randint(0, 8192, (b, s), generator=_generator()),),
        dict(b=3, s=16),
        ({0: Dim("b", max=64), 1: Dim("s", min=1, max=1024)},),
        sizes,
    )


class Vit(nn.Module):
    """Vision transformer encoder over patches: f32[b, p, patch] -> f32[b, width] (mean over patches)."""

    def __init__(self, patch: int = 768, width: int = 384, heads: int = 6, layers: int = 4) -> None:
        super().__init__()
        self.heads = heads
        self.embed = nn.Linear(patch, width)
        self.position = nn.Parameter(torch.randn(1, 1, width) * 0.02)
        self.layers = nn.ModuleList(
            nn.ModuleDict(
                dict(
                    ln1=nn.LayerNorm(width),
                    q=nn.Linear(width, width),
                    k=nn.Linear(width, width),
                    v=nn.Linear(width, width),
                    o=nn.Linear(width, width),
                    ln2=nn.LayerNorm(width),
                    up=nn.Linear(width, 4 * width),
                    down=nn.Linear(4 * width, width),
                )
            )
            for _ in range(layers)
        )
        self.norm = nn.LayerNorm(width)

    def forward(self, patches: torch.Tensor) -> torch.Tensor:
        x = self.embed(patches) + self.position
        b, p, width = x.shape
        for layer in self.layers:
            y = layer["ln1"](x)
            q, k, v = (layer[n](y).view(b, p, self.heads, -1).transpose(1, 2) for n in "qkv")
            scores = torch.softmax(q @ k.transpose(-1, -2) * (q.shape[-1] ** -0.5), -1)
            x = x + layer["o"]((scores @ v).transpose(1, 2).reshape(b, p, width))
            x = x + layer["down"](F.gelu(layer["up"](layer["ln2"](x))))
        return self.norm(x).mean(1)


def vit() -> Entry:
    torch.manual_seed(0)
    return Entry(
        Vit().eval(),
        lambda b, p: (torch.randn(b, p, 768, generator=_generator()),),
        dict(b=3, p=16),
        ({0: Dim("b", max=64), 1: Dim("p", max=1024)},),
        [dict(b=b, p=p) for b, p in [(1, 1), (1, 196), (2, 49), (5, 7), (8, 64), (3, 197)]],
    )


class Recommender(nn.Module):
    """Embedding gathers, a bottom MLP, concat, a top MLP: f32[b, 13], i64[b, 8] -> f32[b, 1]."""

    def __init__(self, features: int = 8, rows: int = 20000, width: int = 32) -> None:
        super().__init__()
        self.tables = nn.ModuleList(nn.Embedding(rows, width) for _ in range(features))
        self.b1, self.b2 = nn.Linear(13, 64), nn.Linear(64, width)
        self.t1, self.t2, self.t3 = nn.Linear((features + 1) * width, 256), nn.Linear(256, 64), nn.Linear(64, 1)

    def forward(self, dense: torch.Tensor, ids: torch.Tensor) -> torch.Tensor:
        d = F.relu(self.b2(F.relu(self.b1(torch.log1p(dense)))))
        x = torch.cat([table(ids[:, i]) for i, table in enumerate(self.tables)] + [d], -1)
        return torch.sigmoid(self.t3(F.relu(self.t2(F.relu(self.t1(x))))))


def recommender() -> Entry:
    torch.manual_seed(0)

    def inputs(b: int) -> tuple:
        g = _generator()
        return torch.rand(b, 13, generator=g) * 5, torch.randint(0, 20000, (b, 8), generator=g)

    batch = Dim("b", max=8192)
    sizes = [dict(b=b) for b in (0, 1, 2, 7, 32, 333, 4096)]
    return Entry(Recommender().eval(), inputs, dict(b=5), ({0: batch}, {0: batch}), sizes)


class Chain(nn.Module):
    """softmax, layer norm or GELU chains over the last dim, any rank 1-4."""

    def __init__(self, kind: str, width: int | None) -> None:
        super().__init__()
        self.kind = kind
        if kind == "layer_norm":
            assert width is not None
            self.norm = nn.LayerNorm(width)
            nn.init.normal_(self.norm.weight, 1.0, 0.1)
            nn.init.normal_(self.norm.bias, 0.0, 0.1)

    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        if self.kind == "softmax":
            return torch.softmax(x * 0.5 + y, -1)
        if self.kind == "layer_norm":
            return self.norm(x + y)
        return F.gelu(x * y + 0.5) * torch.tanh(y) + x


def chain(kind: str, rank: int) -> Entry:
    width = 96 if kind == "layer_norm" else None
    names = ["a", "b", "c", "n"][4 - rank :]
    if width:
        names = names[:-1]
    dims = {i: Dim(f"{kind[0]}{rank}{name}", max=4096) for i, name in enumerate(names)}

    def inputs(**sizes: int) -> tuple:
        g = _generator()
        shape = [sizes[n] for n in names] + ([width] if width else [])
        return torch.randn(shape, generator=g), torch.randn(shape, generator=g)

    grids = [(2, 3, 4, 17), (1, 1, 1, 1), (3, 1, 5, 64), (0, 2, 3, 5), (2, 2, 2, 0), (1, 7, 9, 100)]
    sizes = [dict(zip(names, grid[4 - len(names) :])) for grid in grids]
    torch.manual_seed(0)
    example = dict(zip(names, (3, 4, 5, 6)[4 - len(names) :]))
    return Entry(Chain(kind, width).eval(), inputs, example, (dims or None, dims or None), sizes, 1e-5)


MODELS: dict[str, Callable[[], Entry]] = {
    "bert": bert,
    "gpt2": gpt2,
    "vit": vit,
    "recommender": recommender,
    **{
        f"{kind}_{rank}d": (lambda k=kind, r=rank: chain(k, r))
        for kind in ("softmax", "layer_norm", "gelu")
        for rank in (1, 2, 3, 4)
    },
}
