"""Rename ops that were parsed in generic form under StableHLO's names to dhlo ops."""

from disc_dsl import Pass

PASS = Pass(on="module", native=True)
