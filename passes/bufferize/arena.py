"""Put intermediate buffers into one arena a call, those over each other that are never alive together.

Two buffers that are alive at the same time are ordered: the upper one begins where
the lower one ends. The order is chosen for typical sizes, the places are computed
from the real ones. Small buffers of constant size go to the stack. Stay as they are:
results, buffers of loops and branches, sizes that are known only after the arena is made.
"""

from disc_dsl import Pass

PASS = Pass(on="module", native=True)
