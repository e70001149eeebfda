"""Checks of what flows through the layers, forward and backward. Each is listed here by hand, sorted by name."""

from stetho.checks.declare import Check

CHECKS: tuple[Check, ...] = ()
