"""Convert arith, math, complex, index, memref, cf and func to the LLVM dialect."""

from disc_dsl import Pass

PASS = Pass(on="module", native=True)
