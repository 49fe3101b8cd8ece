"""Bring matrix products to the form that libraries take: [B, M, K] x [B, K, N], either side transposed."""

from disc_dsl import Pass

PASS = Pass(on="func.func", native=True)
