"""Checks of the loss and of what it is given. Each is listed here by hand, sorted by name."""

from stetho.checks.declare import Check
from stetho.checks.loss.adversaries_agree import adversaries_agree
from stetho.checks.loss.class_weight_zero import class_weight_zero
from stetho.checks.loss.class_weights_inverted import class_weights_inverted
from stetho.checks.loss.double_sigmoid import double_sigmoid
from stetho.checks.loss.double_softmax import double_softmax
from stetho.checks.loss.initial_loss_off import initial_loss_off
from stetho.checks.loss.logits_as_probabilities import logits_as_probabilities
from stetho.checks.loss.loss_broadcast import loss_broadcast
from stetho.checks.loss.loss_terms_unbalanced import loss_terms_unbalanced
from stetho.checks.loss.metric_not_following import metric_not_following
from stetho.checks.loss.missing_log import missing_log
from stetho.checks.loss.padding_in_loss import padding_in_loss
from stetho.checks.loss.posterior_collapse import posterior_collapse
from stetho.checks.loss.softmax_over_batch import softmax_over_batch
from stetho.checks.loss.summed_loss import summed_loss
from stetho.checks.loss.unreachable_target import unreachable_target
from stetho.checks.loss.wrong_loss_sign import wrong_loss_sign

CHECKS: tuple[Check, ...] = (
    adversaries_agree,
    class_weight_zero,
    class_weights_inverted,
    double_sigmoid,
    double_softmax,
    initial_loss_off,
    logits_as_probabilities,
    loss_broadcast,
    loss_terms_unbalanced,
    metric_not_following,
    missing_log,
    padding_in_loss,
    posterior_collapse,
    softmax_over_batch,
    summed_loss,
    unreachable_target,
    wrong_loss_sign,
)
