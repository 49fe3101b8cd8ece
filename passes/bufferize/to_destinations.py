"""Give every op that computes a tensor a destination: dhlo -> lmhlo_disc on tensors.

dhlo.fusion -> lmhlo_disc.fusion, dhlo.dot_general -> lmhlo_disc.dot_general (by
collapsing dimensions, without moving data), reshapes -> lmhlo_disc.reshape_view
(with a check where element counts may differ), dhlo.constant -> arith.constant,
Other dhlo ops must be in fusions by now.
"""

from disc_dsl import Pass

PASS = Pass(on="func.func", native=True)
