"""Compute on quantized tensors with plain ones: integers where elements only move, floats where they are computed."""

from disc_dsl import Pass

PASS = Pass(on="module", native=True)
