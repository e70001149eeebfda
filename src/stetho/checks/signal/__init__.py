"""Checks of what flows through the layers, forward and backward. Each is listed here by hand, sorted by name."""

from stetho.checks.declare import Check
from stetho.checks.signal.activation_scale import activation_scale
from stetho.checks.signal.badly_scaled_init import badly_scaled_init
from stetho.checks.signal.collapsed_attention import collapsed_attention
from stetho.checks.signal.collapsed_output import collapsed_output
from stetho.checks.signal.constant_init import constant_init
from stetho.checks.signal.dead_relu import dead_relu
from stetho.checks.signal.exploding_gradient import exploding_gradient
from stetho.checks.signal.frozen_parameter import frozen_parameter
from stetho.checks.signal.missing_nonlinearity import missing_nonlinearity
from stetho.checks.signal.non_finite_evaluation import non_finite_evaluation
from stetho.checks.signal.non_finite_value import non_finite_value
from stetho.checks.signal.overflow import overflow
from stetho.checks.signal.samples_mixed import samples_mixed
from stetho.checks.signal.saturated_activation import saturated_activation
from stetho.checks.signal.unused_embedding_rows import unused_embedding_rows
from stetho.checks.signal.vanishing_gradient import vanishing_gradient

CHECKS: tuple[Check, ...] = (
    activation_scale,
    badly_scaled_init,
    collapsed_attention,
    collapsed_output,
    constant_init,
    dead_relu,
    exploding_gradient,
    frozen_parameter,
    missing_nonlinearity,
    non_finite_evaluation,
    non_finite_value,
    overflow,
    samples_mixed,
    saturated_activation,
    unused_embedding_rows,
    vanishing_gradient,
)
