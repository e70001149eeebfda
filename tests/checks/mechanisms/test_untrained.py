from stetho.checks.mechanisms.untrained import untrained_part
from stetho.checks.run.facts import Layer, Parameter
from stetho.findings.finding import Finding
from stetho.testing import make_window


def random_backbone(right: int, **facts: object) -> Finding | None:
    parameters = [
        Parameter("fc1.weight", (16, 8), 128, trainable=False, optimizer=None, as_made=True, frozen="net.py:9"),
        Parameter("fc2.weight", (4, 16), 64),
    ]
    rows = {"label_counts": [[15, 15, 15, 15]] * 10, "correct": right, "counted": 60}
    return untrained_part(make_window(**{"steps": 200, "parameters": parameters, "eval_batch": rows} | facts))


def test_finds_a_part_that_was_frozen_as_it_was_made() -> None:
    finding = random_backbone(30)
    assert (finding.severity, finding.where.parameter, finding.where.line) == ("warning", "fc1.weight", 9)
    assert "1 of 2 weights" in finding.title


def test_stays_quiet_on_random_features_that_do_well_and_on_loaded_weights() -> None:
    assert random_backbone(57) is None
    assert random_backbone(30, lines={"load_state_dict": ["train.py:9"]}) is None


def test_stays_quiet_on_a_part_that_was_trained_before_it_was_frozen() -> None:
    assert random_backbone(30, stats={("fc1.weight", "update.absmax"): 1e-3}) is None


def test_stays_quiet_on_a_table_that_was_given_unless_most_is_wrong() -> None:
    layers = [Layer("fc1", "EmbeddingBag"), Layer("fc2", "Linear")]
    assert random_backbone(20, layers=layers) is not None
    assert random_backbone(45, layers=layers) is None


def test_stays_quiet_on_a_part_that_is_set_apart_and_after_few_steps() -> None:
    layers = [Layer("fc1", "Linear", training=False), Layer("fc2", "Linear", training=True)]
    assert random_backbone(30, layers=layers) is None
    assert random_backbone(30, steps=60) is None


def test_few_steps_are_enough_where_nothing_came_of_them() -> None:
    finding = random_backbone(14, steps=60)
    assert "answers are no better than a guess" in finding.title
    assert random_backbone(14, steps=20) is None
