"""Check at run time what ops demand of sizes and nothing proves.

The table of demands is passes/shape/Demands.cpp. A check stands where its sizes are first known, once for all ops that
demand the same; inside a loop or a branch it stands before the op. cf.assert becomes a check too.
"""

from disc_dsl import Pass

PASS = Pass(on="func.func", native=True)
