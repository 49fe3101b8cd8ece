"""Builders of the DHLO dialect."""

from ._dhlo_ops_gen import *  # noqa: F403
