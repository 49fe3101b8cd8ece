"""W4 to W7: attention, encoders and a decoder's prefill."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import nn

from .base import Workload, random, shapes


class Attention(nn.Module):
    def forward(self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        scores = torch.matmul(q, k.transpose(-1, -2)) * 0.125
        scores = scores.masked_fill(~mask[:, None, None, :], -1e9)
        return torch.matmul(torch.softmax(scores, -1), v)


class W4(Workload):
    name, title = "W4", "masked attention, op by op: q, k, v [B,12,S,64], mask [B,S]"
    dynamic_dims = [{0: "B", 2: "S"}] * 3 + [{0: "B", 1: "S"}]
    trace = shapes(
        "BS",
        [
            *[(2, 128), (4, 96), (1, 37), (3, 200), (1, 384), (8, 33), (2, 257), (1, 512), (3, 77), (1, 333)],
            *[(4, 300), (2, 7), (6, 150)],
        ],
    )

    def make_model(self) -> nn.Module:
        return Attention()

    def inputs(self, sizes: dict[str, int], generator: torch.Generator) -> tuple[torch.Tensor, ...]:
        b, s = sizes["B"], sizes["S"]
        mask = torch.rand(b, s, generator=generator) > 0.2
        mask[:, 0] = True
        return (*(random(generator, b, 12, s, 64) for _ in range(3)), mask)


class Bert(nn.Module):
    def __init__(self, **sizes: int) -> None:
        super().__init__()
        from transformers import BertConfig, BertModel

        config = BertConfig(**sizes)
        config._attn_implementation = "eager"
        self.bert = BertModel(config, add_pooling_layer=False)

    def forward(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        return self.bert(input_ids=ids, attention_mask=mask).last_hidden_state


TOKENS = [(2, 16), (1, 7), (4, 25), (1, 128), (8, 12), (3, 50), (1, 64), (2, 100), (1, 384), (5, 33)]


class W5(Workload):
    name, title = "W5", "BERT-base encoder, 12 layers, hidden 768"
    heavy = True
    dynamic_dims = [{0: "B", 1: "S"}] * 2
    bounds = {"S": (None, 512)}  # rows of the position embedding
    config: dict[str, int] = {}
    trace = shapes("BS", [*TOKENS, (8, 64), (1, 17)])

    def make_model(self) -> nn.Module:
        return Bert(**self.config)

    def inputs(self, sizes: dict[str, int], generator: torch.Generator) -> tuple[torch.Tensor, ...]:
        """A padded batch: every row but the first is shorter."""
        b, s = sizes["B"], sizes["S"]
        ids = torch.randint(0, 1000, (b, s), generator=generator)
        mask = torch.ones(b, s, dtype=torch.int64)
        for i in range(1, b):
            mask[i, max(1, s - (i * s) // (2 * b)) :] = 0
        return ids, mask


class W6(W5):
    name, title = "W6", "2 layers of a BERT-large encoder, hidden 1024, 16 heads"
    config = dict(hidden_size=1024, num_hidden_layers=2, num_attention_heads=16, intermediate_size=4096)
    trace = shapes("BS", [*TOKENS, (8, 128), (1, 17)])


class Decoder(nn.Module):
    """A decoder in the style of GPT-2; gives the logits of the last token."""

    def __init__(self, vocabulary: int = 8192, positions: int = 1024, d: int = 768, heads: int = 12, layers: int = 2):
        super().__init__()
        self.heads = heads
        self.tokens, self.positions = nn.Embedding(vocabulary, d), nn.Embedding(positions, d)
        self.blocks = nn.ModuleList(
            nn.ModuleDict(
                {
                    "norm1": nn.LayerNorm(d),
                    "qkv": nn.Linear(d, 3 * d),
                    "project": nn.Linear(d, d),
                    "norm2": nn.LayerNorm(d),
                    "up": nn.Linear(d, 4 * d),
                    "down": nn.Linear(4 * d, d),
                }
            )
            for _ in range(layers)
        )
        self.norm, self.head = nn.LayerNorm(d), nn.Linear(d, vocabulary, bias=False)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        b, s = ids.shape
        position = torch.arange(s)
        x = self.tokens(ids) + self.positions(position)
        causal = position[None, :] <= position[:, None]
        for block in self.blocks:
            q, k, v = block["qkv"](block["norm1"](x)).split(x.shape[-1], -1)
            q, k, v = (t.reshape(b, s, self.heads, -1).transpose(1, 2) for t in (q, k, v))
            a = torch.matmul(q, k.transpose(-1, -2)) * (1.0 / math.sqrt(q.shape[-1]))
            a = torch.softmax(a.masked_fill(~causal, -1e9), -1)
            x = x + block["project"](torch.matmul(a, v).transpose(1, 2).reshape(b, s, -1))
            x = x + block["down"](F.gelu(block["up"](block["norm2"](x)), approximate="tanh"))
        return self.head(self.norm(x)[:, -1])


class W7(Workload):
    name, title = "W7", "prefill of a GPT-2 style decoder, 2 layers, d 768, vocabulary 8192"
    heavy = True
    dynamic_dims = [{0: "B", 1: "S"}]
    bounds = {"S": (None, 1024)}
    trace = shapes(
        "BS",
        [
            *[(2, 16), (1, 5), (4, 25), (1, 128), (8, 12), (3, 50), (1, 64), (2, 100), (1, 511), (5, 33)],
            *[(4, 200), (1, 17)],
        ],
    )

    def make_model(self) -> nn.Module:
        return Decoder()

    def inputs(self, sizes: dict[str, int], generator: torch.Generator) -> tuple[torch.Tensor, ...]:
        return (torch.randint(0, 8192, (sizes["B"], sizes["S"]), generator=generator),)
