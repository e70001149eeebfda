"""The checks of the training loop: each fires on its own mark, and all of them stay quiet on a healthy run."""

from contextlib import suppress

import numpy as np
import pytest

from stetho.checks import loop
from stetho.checks.declare import Skip
from stetho.checks.facts import Load, Loader, Optimizer, Scheduler
from stetho.testing import make_window

SCALED = {"clip_norm": 100.0, "clip_max": 1.0, "loss_scale": 65536.0}
ONE_BATCH = [Loader(0, length=640, batch_size=32, shuffled=False, passes=60, line="train.py:3")]

FAULTY = {
    "gradients-not-zeroed": lambda: make_window(step={"stale_grad": 1.0}),
    "gradients-zeroed-before-step": lambda: make_window(
        order="forward backward zero_grad step", step={"grad_norm": None, "tier": "full"}
    ),
    "step-before-backward": lambda: make_window(
        steps=20, order=["zero_grad forward step", *["backward zero_grad forward step"] * 19]
    ),
    "scheduler-before-optimizer": lambda: make_window(order="zero_grad forward backward scheduler step"),
    "scheduler-too-often": lambda: make_window(
        steps=60, order="scheduler zero_grad forward backward step", step={"lr": list(0.1 * 0.5 ** np.arange(60))}
    ),
    "scheduler-never-stepped": lambda: make_window(schedulers=[Scheduler("StepLR", "train.py:4")], loaders=()),
    "clip-after-step": lambda: make_window(order="clip zero_grad forward backward step"),
    "clip-before-unscale": lambda: make_window(order="zero_grad forward backward clip step", step=SCALED),
    "weights-not-loaded": lambda: make_window(loads=[Load("train.py:5", "Net", 10, 1, 9, 9)]),
    "graph-kept-alive": lambda: make_window(steps=60, step={"graphs_alive": list(range(60))}),
    "hidden-state-carried": lambda: make_window(steps=10, step={"graph_nodes": list(range(100, 1100, 100))}),
    "loader-restarted": lambda: make_window(loaders=ONE_BATCH, batch={"loader": 0.0}),
    "repeated-batch": lambda: make_window(loaders=ONE_BATCH, batch={"loader": 0.0, "hash": 7.0}),
    "step-missing": lambda: make_window(
        order="zero_grad forward backward", optimizers=[Optimizer(0, "Adam")],
        stats={("fc1.weight", "update.absmax"): 0.0, ("fc1.bias", "update.absmax"): 0.0,
               ("fc2.weight", "update.absmax"): 0.0, ("fc2.bias", "update.absmax"): 0.0},
    ),
}  # fmt: skip


def by_name(name):
    return next(check for check in loop.CHECKS if check.name == name)


@pytest.mark.parametrize("name", FAULTY)
def test_fires_on_its_own_mark(name):
    found = by_name(name).judge(FAULTY[name](), {})
    assert [finding.check for finding in found] == [name]
    assert any(letter.isdigit() for letter in found[0].title)


@pytest.mark.parametrize("check", loop.CHECKS, ids=lambda check: check.name)
def test_stays_quiet_on_a_healthy_run(check):
    found = []
    with suppress(Skip):
        found = check.judge(make_window(), {})
    assert found == []


@pytest.mark.parametrize("name", ["gradients-not-zeroed", "graph-kept-alive", "hidden-state-carried"])
def test_is_skipped_when_nothing_was_looked_at(name):
    unseen = make_window(step={"stale_grad": None, "graphs_alive": None, "graph_nodes": None})
    with pytest.raises(Skip):
        by_name(name).judge(unseen, {})
