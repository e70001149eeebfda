"""The catalogue: every check of stetho. Each family lists its own in its `CHECKS`, by hand and sorted by name."""

from stetho.checks import data, loop, loss, model, optimisation, signal
from stetho.checks.declare import Check

CATALOG: tuple[Check, ...] = (
    *data.CHECKS,
    *loop.CHECKS,
    *loss.CHECKS,
    *model.CHECKS,
    *optimisation.CHECKS,
    *signal.CHECKS,
)
