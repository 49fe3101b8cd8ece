"""W9: ResNet-18 on images of varying sizes."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import nn

from .base import Workload, random, shapes


class Block(nn.Module):
    def __init__(self, inputs: int, outputs: int, stride: int) -> None:
        super().__init__()
        self.conv1, self.norm1 = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs)
        self.conv2, self.norm2 = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False), nn.BatchNorm2d(outputs)
        self.down: nn.Module = nn.Identity()
        if stride != 1:
            self.down = nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = F.relu(self.norm1(self.conv1(x)))
        return F.relu(self.norm2(self.conv2(y)) + self.down(x))


class ResNet18(nn.Module):
    def __init__(self, classes: int = 1000) -> None:
        super().__init__()
        self.conv, self.norm = nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64)
        widths = [(64, 64, 1), (64, 64, 1), (64, 128, 2), (128, 128, 1)]
        widths += [(128, 256, 2), (256, 256, 1), (256, 512, 2), (512, 512, 1)]
        self.body = nn.Sequential(*[Block(*of) for of in widths])
        self.head = nn.Linear(512, classes)
        for module in self.modules():
            if isinstance(module, nn.BatchNorm2d):
                module.running_mean.normal_(0, 0.1)
                module.running_var.uniform_(0.5, 1.5)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = F.max_pool2d(F.relu(self.norm(self.conv(x))), 3, 2, 1)
        return self.head(self.body(x).mean((2, 3)))


class W9(Workload):
    name, title = "W9", "ResNet-18, batch 1 to 4, images of 64 to 256, not square"
    heavy = True
    dynamic_dims = [{0: "B", 2: "H", 3: "W"}]
    bounds = {"H": (33, None), "W": (33, None)}  # images are halved five times; more than one pixel is left
    trace = shapes(
        "BHW",
        [
            *[(2, 96, 128), (1, 224, 224), (1, 64, 80), (4, 64, 64), (1, 160, 192), (3, 100, 75), (1, 256, 200)],
            *[(2, 128, 96), (1, 97, 131), (1, 192, 256), (4, 112, 112), (1, 128, 128)],
        ],
    )

    def make_model(self) -> nn.Module:
        return ResNet18()

    def inputs(self, sizes: dict[str, int], generator: torch.Generator) -> tuple[torch.Tensor, ...]:
        return (random(generator, sizes["B"], 3, sizes["H"], sizes["W"]),)
