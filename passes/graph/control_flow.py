"""Turn dhlo.while, dhlo.if and dhlo.case into scf, which later stages and upstream know."""

from disc_dsl import Pass

PASS = Pass(on="func.func", native=True)
