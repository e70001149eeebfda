"""Checks of the training loop: the order of things, and what each step works on. Listed here by hand, sorted."""

from stetho.checks.declare import Check
from stetho.checks.loop.accumulation_not_averaged import accumulation_not_averaged
from stetho.checks.loop.best_state_not_copied import best_state_not_copied
from stetho.checks.loop.clip_after_step import clip_after_step
from stetho.checks.loop.clip_before_unscale import clip_before_unscale
from stetho.checks.loop.clip_too_small import clip_too_small
from stetho.checks.loop.eval_mode_in_train import eval_mode_in_train
from stetho.checks.loop.gradients_not_zeroed import gradients_not_zeroed
from stetho.checks.loop.gradients_zeroed_before_step import gradients_zeroed_before_step
from stetho.checks.loop.graph_cut import graph_cut
from stetho.checks.loop.graph_kept_alive import graph_kept_alive
from stetho.checks.loop.hidden_state_carried import hidden_state_carried
from stetho.checks.loop.hidden_state_lost import hidden_state_lost
from stetho.checks.loop.hooks_piling_up import hooks_piling_up
from stetho.checks.loop.loader_restarted import loader_restarted
from stetho.checks.loop.optimizer_made_anew import optimizer_made_anew
from stetho.checks.loop.optimizer_missing_parameters import optimizer_missing_parameters
from stetho.checks.loop.parameters_reset import parameters_reset
from stetho.checks.loop.repeated_batch import repeated_batch
from stetho.checks.loop.scheduler_before_optimizer import scheduler_before_optimizer
from stetho.checks.loop.scheduler_never_stepped import scheduler_never_stepped
from stetho.checks.loop.scheduler_too_often import scheduler_too_often
from stetho.checks.loop.step_before_backward import step_before_backward
from stetho.checks.loop.step_missing import step_missing
from stetho.checks.loop.train_mode_in_eval import train_mode_in_eval
from stetho.checks.loop.unregistered_layer import unregistered_layer
from stetho.checks.loop.unused_parameter import unused_parameter
from stetho.checks.loop.weights_not_loaded import weights_not_loaded
from stetho.checks.loop.weights_not_tied import weights_not_tied
from stetho.checks.loop.weights_shared_by_accident import weights_shared_by_accident

CHECKS: tuple[Check, ...] = (
    accumulation_not_averaged,
    best_state_not_copied,
    clip_after_step,
    clip_before_unscale,
    clip_too_small,
    eval_mode_in_train,
    gradients_not_zeroed,
    gradients_zeroed_before_step,
    graph_cut,
    graph_kept_alive,
    hidden_state_carried,
    hidden_state_lost,
    hooks_piling_up,
    loader_restarted,
    optimizer_made_anew,
    optimizer_missing_parameters,
    parameters_reset,
    repeated_batch,
    scheduler_before_optimizer,
    scheduler_never_stepped,
    scheduler_too_often,
    step_before_backward,
    step_missing,
    train_mode_in_eval,
    unregistered_layer,
    unused_parameter,
    weights_not_loaded,
    weights_not_tied,
    weights_shared_by_accident,
)
