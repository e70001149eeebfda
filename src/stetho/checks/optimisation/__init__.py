"""Checks of how the parameters move and where the loss goes. Each is listed here by hand, sorted by name."""

from stetho.checks.declare import Check
from stetho.checks.optimisation.batch_norm_momentum import batch_norm_momentum
from stetho.checks.optimisation.divergence import divergence
from stetho.checks.optimisation.excessive_dropout import excessive_dropout
from stetho.checks.optimisation.excessive_weight_decay import excessive_weight_decay
from stetho.checks.optimisation.learning_rate_too_high import learning_rate_too_high
from stetho.checks.optimisation.learning_rate_too_low import learning_rate_too_low
from stetho.checks.optimisation.loss_plateau import loss_plateau
from stetho.checks.optimisation.loss_scale_collapse import loss_scale_collapse
from stetho.checks.optimisation.loss_spike import loss_spike
from stetho.checks.optimisation.odd_momentum import odd_momentum
from stetho.checks.optimisation.overfitting import overfitting
from stetho.checks.optimisation.stopped_early import stopped_early

CHECKS: tuple[Check, ...] = (
    batch_norm_momentum,
    divergence,
    excessive_dropout,
    excessive_weight_decay,
    learning_rate_too_high,
    learning_rate_too_low,
    loss_plateau,
    loss_scale_collapse,
    loss_spike,
    odd_momentum,
    overfitting,
    stopped_early,
)
