"""Give kernels versions in which the lengths of short loops are numbers, and in which nothing is broadcast.

A kernel gets a version for each likely value (`disc.symbols`) up to 128 of a symbol that bounds one of its inner loops, and
versions for broadcasts along vectors that only a size decides. It asks the sizes at its start; versions are four at
most, and each computes what the general one does, in the same order.
"""

from disc_dsl import Pass

PASS = Pass(on="module", native=True)
