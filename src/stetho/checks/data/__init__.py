"""Checks of what the model is fed. Each is listed here by hand, sorted by name."""

from stetho.checks.declare import Check

CHECKS: tuple[Check, ...] = ()
