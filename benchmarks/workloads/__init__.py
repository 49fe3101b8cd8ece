"""The workloads W1 to W9: models with random weights, each with a trace of a dozen shapes or more."""

from .base import Workload
from .convolution import W9
from .memory_bound import W1, W2, W3
from .recommender import W8
from .transformers import W4, W5, W6, W7

WORKLOADS: dict[str, type[Workload]] = {c.name: c for c in (W1, W2, W3, W4, W5, W6, W7, W8, W9)}

__all__ = ["WORKLOADS", "Workload"]
