import numpy as np
import pytest

from stetho.checks.declare import Skip
from stetho.checks.optimisation.excessive_weight_decay import excessive_weight_decay
from stetho.checks.run.facts import Group, Optimizer
from stetho.findings.finding import Finding
from stetho.testing import make_window

NAMES = ("fc1.weight", "fc2.weight")
SHRINKING = {(name, "param.rms"): np.geomspace(0.3, 0.003, 60) for name in NAMES}
FLAT = {"loss": 2.3}


def optimizer(kind: str, decay: float) -> Optimizer:
    return Optimizer(0, kind, "train.py:9", (Group({"lr": 1e-3, "weight_decay": decay}, NAMES),))


def test_finds_decay_that_is_stronger_than_the_gradient() -> None:
    finding = excessive_weight_decay(make_window(step=FLAT, stats=SHRINKING, optimizers=[optimizer("SGD", 1.0)]))
    assert finding.severity == "error"
    assert "weight decay 1 makes up" in finding.title
    assert finding.where.line == 9


def with_a_head(body: float, head: float) -> Finding | None:
    layers = {"fc1": "Linear(in_features=64, out_features=32)", "fc2": "Linear(in_features=32, out_features=2)"}
    stats = {("fc1.weight", "param.rms"): np.geomspace(0.3, body, 60)}
    stats |= {("fc2.weight", "param.rms"): np.geomspace(0.3, head, 60)}
    return excessive_weight_decay(
        make_window(step=FLAT, layers=layers, stats=stats, optimizers=[optimizer("SGD", 1.0)])
    )


def test_finds_it_when_a_small_head_grows_to_make_up_for_the_rest() -> None:
    assert with_a_head(0.03, 0.5) is not None


def test_stays_quiet_when_only_a_small_head_shrinks() -> None:
    assert with_a_head(0.5, 0.003) is None


def test_compares_decoupled_decay_with_the_update() -> None:
    stats = SHRINKING | {(name, "update.rms"): np.geomspace(0.03, 0.0003, 60) for name in NAMES}
    assert (
        excessive_weight_decay(make_window(step=FLAT, stats=stats, optimizers=[optimizer("AdamW", 100.0)])) is not None
    )
    assert excessive_weight_decay(make_window(step=FLAT, stats=stats, optimizers=[optimizer("AdamW", 0.1)])) is None


def test_stays_quiet_on_usual_decay() -> None:
    assert excessive_weight_decay(make_window(step=FLAT, stats=SHRINKING, optimizers=[optimizer("SGD", 1e-4)])) is None


def test_stays_quiet_when_the_loss_falls_all_the_same() -> None:
    assert excessive_weight_decay(make_window(stats=SHRINKING, optimizers=[optimizer("SGD", 1.0)])) is None


def test_skips_runs_without_decay_or_numbers() -> None:
    with pytest.raises(Skip, match="no weight decay"):
        excessive_weight_decay(make_window(steps=5))
    with pytest.raises(Skip, match="not measured"):
        excessive_weight_decay(make_window(steps=5, optimizers=[optimizer("SGD", 1.0)]))


def test_finds_a_penalty_in_the_loss() -> None:
    assert "the loss itself" in excessive_weight_decay(make_window(step=FLAT, stats=SHRINKING)).title


def test_stays_quiet_without_decay() -> None:
    assert excessive_weight_decay(make_window()) is None


def test_finds_decay_that_empties_embeddings() -> None:
    layers = {"fc1": "Embedding(64, 32)", "fc2": "Embedding(32, 32)"}
    window = make_window(step=FLAT, layers=layers, stats=SHRINKING, optimizers=[optimizer("SGD", 1.0)])
    assert "shrink to 1.0%" in excessive_weight_decay(window).title


@pytest.mark.parametrize("kind", ["SGD", "AdamW"])
def test_skips_a_training_without_a_single_finite_gradient(kind: str) -> None:
    lost = {(name, f"{role}.rms"): np.full(60, np.nan) for name in NAMES for role in ("param", "grad", "update")}
    with pytest.raises(Skip):
        excessive_weight_decay(make_window(step=FLAT, stats=lost, optimizers=[optimizer(kind, 1.0)]))
