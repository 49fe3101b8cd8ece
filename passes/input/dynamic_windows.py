"""Write `custom_call @stablehlo.dynamic_reduce_window` as reduce_window, or as log2(n) steps where it is cumulative."""

from disc_dsl import Pass

PASS = Pass(on="module", native=True)
