"""Checks of the shape of the network. Each is listed here by hand, sorted by name."""

from stetho.checks.declare import Check

CHECKS: tuple[Check, ...] = ()
