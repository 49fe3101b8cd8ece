"""Turn branches between blocks (cf.br, cf.cond_br, cf.switch) into scf ops."""

from disc_dsl import Pass

PASS = Pass(on="func.func", native=True)
