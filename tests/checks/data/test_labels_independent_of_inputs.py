import numpy as np
import pytest

from stetho.checks.data.labels_independent_of_inputs import labels_independent_of_inputs
from stetho.checks.declare import Skip
from stetho.checks.run.facts import Group, Loss, Optimizer
from stetho.testing import make_window

CHANCE = {"samples": 800, "classes": 4, "features": 8, "best_over_chance": 1.8, "mean_over_chance": 1.0}
GUESS = {"correct": 8}


def test_finds_labels_that_nothing_tells() -> None:
    finding = labels_independent_of_inputs(
        make_window(steps=200, probes={"dependence": CHANCE}, batch=GUESS, eval_batch=GUESS)
    )
    assert "evaluation" in finding.title


def test_looks_at_training_without_an_evaluation() -> None:
    window = make_window(steps=200, probes={"dependence": CHANCE}, batch=GUESS, eval_batch={"label_counts": None})
    assert "training" in labels_independent_of_inputs(window).title


def test_finds_targets_that_nothing_tells() -> None:
    probe = CHANCE | {"classes": 0}
    batch = {"loss_call": "mse_loss", "target_mean": 0.0, "target_std": 1.0}
    window = make_window(
        steps=200, probes={"dependence": probe}, losses=[Loss("mse_loss")], batch=batch, step={"loss": 1.0}
    )
    assert labels_independent_of_inputs(window) is not None


@pytest.mark.parametrize(("last", "is_found"), [(0.81, True), (0.5, False)])
def test_finds_absolute_errors_that_stay_those_of_a_guess(last: float, is_found: bool) -> None:
    batch = {"loss_call": "l1_loss", "target_mean": 0.0, "target_std": 1.0}
    loss = np.linspace(0.85, last, 200)
    probe = {"dependence": CHANCE | {"classes": 0}}
    losses = [Loss("l1_loss", "train.py:31", reduction="mean")]
    window = make_window(steps=200, step={"loss": loss}, batch=batch, probes=probe, losses=losses, metrics={})
    assert (labels_independent_of_inputs(window) is not None) is is_found


def test_counts_the_losses_that_a_search_asks_for_in_one_step() -> None:
    optimizers = [Optimizer(0, "LBFGS", None, (Group({"lr": 1.0, "max_iter": 10}, ()),))]
    given = {"steps": 30, "probes": {"dependence": CHANCE}, "batch": GUESS, "eval_batch": GUESS}
    assert labels_independent_of_inputs(make_window(**given, step={"backwards": 10}, optimizers=optimizers)) is not None
    with pytest.raises(Skip):
        labels_independent_of_inputs(make_window(**given, step={"backwards": 10}))


def test_stays_quiet_when_a_feature_tells_or_the_model_learns() -> None:
    told = {"dependence": CHANCE | {"best_over_chance": 30.0}}
    assert labels_independent_of_inputs(make_window(steps=200, probes=told, batch=GUESS, eval_batch=GUESS)) is None
    assert labels_independent_of_inputs(make_window(steps=200, probes={"dependence": CHANCE})) is None


def test_stays_quiet_where_nearly_all_labels_are_one() -> None:
    rare = {"label_counts": [31, 1, 0, 0], "correct": 31}
    window = make_window(steps=200, probes={"dependence": CHANCE}, batch=rare, eval_batch=rare)
    assert labels_independent_of_inputs(window) is None
    even = make_window(steps=200, probes={"dependence": CHANCE}, batch=rare, eval_batch=GUESS)
    assert labels_independent_of_inputs(even) is None


def test_skips_few_samples_and_short_runs() -> None:
    for given in (
        {},
        {"probes": {"dependence": CHANCE | {"samples": 20}}},
        {"probes": {"dependence": CHANCE}, "steps": 30},
    ):
        with pytest.raises(Skip):
            labels_independent_of_inputs(make_window(**given))


def test_features_that_tell_a_little_each_leave_no_slack() -> None:
    a_bit_better = {"correct": 14}
    for mean, is_found in ((1.0, True), (2.5, False)):
        probe = {"dependence": CHANCE | {"mean_over_chance": mean}}
        window = make_window(steps=400, probes=probe, batch=a_bit_better, eval_batch=a_bit_better)
        assert (labels_independent_of_inputs(window, slack=0.2) is not None) == is_found


IDS = {"samples": 6000, "classes": 0, "held": 0.01, "chance": 0.0, "groups": [120, 90]}
RATED = {"loss_call": "mse_loss", "target_mean": 0.0, "target_std": 1.0}


def of_ids(last: float = 0.8, **changed: object) -> object:
    return labels_independent_of_inputs(
        make_window(
            steps=200,
            probes={"rule": IDS | changed},
            losses=[Loss("mse_loss", reduction="mean")],
            batch=RATED,
            eval_batch=RATED,
            step={"loss": np.linspace(1.0, last, 200)},
            metrics={("loss", "eval"): np.full(200, 1.2)},
            lines={"reordered": ["rate.py:21"]},
        )
    )


def test_finds_ids_that_tell_nothing_alone_or_together() -> None:
    found = of_ids()
    assert "120 and 90 ids" in found.title
    assert found.where.line == 21


def test_stays_quiet_where_ids_tell_are_seldom_seen_again_or_nothing_is_learnt_by_heart() -> None:
    assert of_ids(held=0.2) is None
    assert of_ids(groups=[5000, 90]) is None
    assert of_ids(last=1.0) is None


def test_stays_quiet_where_a_rule_of_many_features_holds() -> None:
    probes = {"dependence": CHANCE, "rule": {"samples": 800, "classes": 4, "held": 0.5, "chance": 0.25}}
    assert labels_independent_of_inputs(make_window(steps=200, probes=probes, batch=GUESS, eval_batch=GUESS)) is None


def test_a_rule_that_does_not_hold_lets_a_single_feature_go_further_beyond_chance() -> None:
    lucky = CHANCE | {"best_over_chance": 5.0}
    rule = {"samples": 800, "classes": 4, "held": 0.25, "chance": 0.26}

    def found(dependence: dict[str, float], **probes: object) -> object:
        probes = {"dependence": dependence, **probes}
        return labels_independent_of_inputs(make_window(steps=200, probes=probes, batch=GUESS, eval_batch=GUESS))

    assert found(lucky, rule=rule) is not None
    assert found(lucky) is None
    assert found(lucky | {"mean_over_chance": 2.5}, rule=rule) is None
    assert found(CHANCE | {"best_over_chance": 9.0}, rule=rule) is None


def test_the_text_of_the_program_is_a_third_witness() -> None:
    rule = {"samples": 800, "classes": 4, "held": 0.25, "chance": 0.26}

    def found(best: float, lines: dict[str, list[str]], **probes: object) -> object:
        probes = {"dependence": CHANCE | {"best_over_chance": best, "mean_over_chance": 2.5}, **probes}
        window = make_window(steps=200, probes=probes, batch=GUESS, eval_batch=GUESS, lines=lines)
        return labels_independent_of_inputs(window)

    written = {"reordered": ["digits.py:16"]}
    assert found(6.5, written, rule=rule).where.line == 16
    assert found(6.5, {}, rule=rule) is None
    assert found(6.5, written) is None
    assert found(30.0, written, rule=rule) is None


def test_skips_a_rule_that_is_not_of_ids() -> None:
    with pytest.raises(Skip):
        of_ids(groups=[])


UNTOLD = {"probes": {"dependence": CHANCE, "rule": {"samples": 800, "classes": 4, "held": 0.26, "chance": 0.25}}}
BY_HEART = {"correct": 24}


def by_heart(**changed):
    """Training samples are known by heart, and nobody saw how new ones are answered."""
    facts = {"lines": {"reordered": ("train.py:4",)}, "batch": BY_HEART, "metrics": {}} | UNTOLD | changed
    return labels_independent_of_inputs(make_window(steps=200, **({"eval_batch": {"label_counts": None}} | facts)))


def test_what_is_known_by_heart_says_nothing_where_the_program_reorders_one_array() -> None:
    found = by_heart()
    assert (found.where.line, "a rule made of one half of 800 samples" in found.title) == (4, True)


@pytest.mark.parametrize(
    "changed",
    [
        {"lines": {}},  # nothing is reordered
        {"eval_batch": BY_HEART},  # new data are answered well
        {"metrics": {("loss", "eval"): 0.4}},
        {"probes": {"dependence": CHANCE}},  # no rule was tried
        {"probes": UNTOLD["probes"] | {"dependence": CHANCE | {"best_over_chance": 40.0}}},
    ],
)
def test_stays_quiet_on_samples_known_by_heart_where_anything_else_is_known(changed) -> None:
    assert by_heart(**changed) is None
