"""Compute rng_bit_generator and rng with elementwise ops on counters."""

from disc_dsl import Pass

PASS = Pass(on="func.func", native=True)
