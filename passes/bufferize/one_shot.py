"""Turn tensors into contiguous buffers with upstream's one-shot-bufferize.

Bodies of `lmhlo_disc.fusion` stay on tensors: they describe a computation.
Arguments of functions are never written.
"""

from disc_dsl import Pass

PASS = Pass(on="module", native=True)
