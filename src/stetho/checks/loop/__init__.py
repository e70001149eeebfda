"""Checks of the order and the parts of the training loop. Each is listed here by hand, sorted by name."""

from stetho.checks.declare import Check

CHECKS: tuple[Check, ...] = ()
