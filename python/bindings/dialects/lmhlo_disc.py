"""Builders of the lmhlo_disc dialect."""

from ._lmhlo_disc_ops_gen import *  # noqa: F403
