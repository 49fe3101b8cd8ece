"""Convolutions read and write channels last: [batch, spatial..., features]; transposes move past what lies between two of them."""

from disc_dsl import Pass

PASS = Pass(on="func.func", native=True)
