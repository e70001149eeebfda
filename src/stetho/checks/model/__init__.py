"""Checks of the shape of the network. Each is listed here by hand, sorted by name."""

from stetho.checks.declare import Check
from stetho.checks.model.discarded_result import discarded_result
from stetho.checks.model.future_visible import future_visible
from stetho.checks.model.misplaced_batch_norm import misplaced_batch_norm
from stetho.checks.model.misplaced_dropout import misplaced_dropout
from stetho.checks.model.output_activation import output_activation
from stetho.checks.model.scrambled_axes import scrambled_axes
from stetho.checks.model.too_small_model import too_small_model
from stetho.checks.model.width_one_bottleneck import width_one_bottleneck

CHECKS: tuple[Check, ...] = (
    discarded_result,
    future_visible,
    misplaced_batch_norm,
    misplaced_dropout,
    output_activation,
    scrambled_axes,
    too_small_model,
    width_one_bottleneck,
)
