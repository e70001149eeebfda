"""Checks of what the loss is given and what it measures. Each is listed here by hand, sorted by name."""

from stetho.checks.declare import Check

CHECKS: tuple[Check, ...] = ()
