import numpy as np
import pytest

from stetho.checks.mechanisms.exchanged import exchanged
from stetho.testing import make_window

CONFUSED = np.array([[55, 0, 45, 0], [0, 99, 0, 1], [52, 0, 48, 0], [1, 0, 0, 99]])
KNOWN = np.diag([100, 100, 100, 100])


def judged(table=CONFUSED, line="data.py:9", *, trained=None, redrawn=True, losses=0.36, steps=300):
    samples = [list(range(n * 32, n * 32 + 32)) if redrawn else list(range(32)) for n in range(steps)]
    table = np.asarray(table)
    probes = {
        "answers": {
            "train": (table if trained is None else np.asarray(trained)).flatten().tolist(),
            **({} if trained is None else {"eval": table.flatten().tolist()}),
        },
        "turned": {"line": line},
    }
    return exchanged(
        make_window(
            steps=steps, probes=probes, step={"loss": losses, "batch_size": 32}, batch={"samples": samples, "loader": 0}
        )
    )


def test_finds_two_classes_that_become_one_another():
    found = judged()
    assert "classes 0 and 2" in found.title
    assert found.where.line == 9


def test_finds_them_in_evaluation_where_training_samples_are_half_known_by_heart():
    assert judged(trained=CONFUSED + np.diag([60, 0, 60, 0])) is not None
    assert judged(trained=KNOWN) is None
    assert judged(KNOWN, trained=CONFUSED) is None


def test_finds_them_where_an_evaluation_leans_to_one_of_two_that_the_training_guesses_between():
    half = np.kron(np.eye(2), np.full((2, 2), 50))
    leaning = np.array([[52, 48, 0, 0], [49, 51, 0, 0], [0, 0, 54, 46], [0, 0, 20, 80]])
    assert judged(leaning, trained=half) is not None
    assert judged(leaning, trained=half + np.diag([0, 0, 200, 200])) is None


def test_finds_two_such_pairs():
    half = np.kron(np.eye(2), np.full((2, 2), 50))
    assert "classes 0 and 1" in judged(half).title


@pytest.mark.parametrize(
    "table",
    [KNOWN, np.full((4, 4), 25), CONFUSED // 10, CONFUSED[:2, :2], CONFUSED + 60 * np.eye(4)],
    ids=["all known", "all guessed", "few answers", "two classes", "learning"],
)
def test_stays_quiet_on_other_answers(table):
    assert judged(table) is None


def test_stays_quiet_where_nothing_is_turned_or_changed():
    assert judged(line=None) is None
    assert judged(redrawn=False) is None
    assert exchanged(make_window()) is None


def test_stays_quiet_while_the_loss_falls():
    assert judged(losses=np.geomspace(2, 0.2, 300)) is None


OPPOSITE = {"samples": 900, "classes": 2, "evaluated_samples": 200, "evaluated_held": 0.95, "trained": 0.52,
            "mirrored": [0.05, 0.95, 0.06]}  # fmt: skip


def opposite(line="data.py:9", **changed):
    probes = {"rule": OPPOSITE | changed, "turned": {"line": line}}
    return exchanged(make_window(probes=probes, batch={"label_counts": None}, eval_batch={"label_counts": None}))


def test_finds_samples_that_mean_the_opposite_when_they_are_mirrored():
    found = opposite()
    assert "mirrored left to right" in found.title
    assert found.where.line == 9
    assert "upside down" in opposite(mirrored=[0.95, 0.04, 0.06]).title


def test_finds_many_classes_of_which_nothing_is_left_in_training():
    samples = [list(range(n * 32, n * 32 + 32)) for n in range(300)]
    rule = OPPOSITE | {"classes": 4, "trained": 0.25, "mirrored": [0.5, 0.45, 0.2]}
    window = make_window(
        steps=300,
        probes={"rule": rule, "turned": {"line": "data.py:9"}},
        batch={"samples": samples, "loader": 0, "label_counts": None},
        eval_batch={"label_counts": None},
        step={"batch_size": 32},
    )
    assert "mirrored in both ways" in exchanged(window).title


def test_finds_numbers_that_change_their_sign():
    assert "correlation 0.90" in opposite(classes=0, evaluated_held=0.9, mirrored=[-0.8], trained=0.1).title


@pytest.mark.parametrize(
    "changed",
    [
        {"trained": 0.9},
        {"mirrored": [0.5, 0.95, 0.5]},
        {"evaluated_held": 0.6},
        {"evaluated_samples": 30},
        {"classes": 4},
        {"classes": 4, "trained": 0.25, "mirrored": [0.9]},
        {"mirrored": []},
        {"samples": 20},
        {"line": None},
    ],
)
def test_stays_quiet_where_mirrored_samples_mean_the_same_or_little_is_known(changed):
    assert opposite(**changed) is None


def test_stays_quiet_where_the_model_learns_all_the_same():
    right = {"label_counts": [50, 50], "correct": 98, "counted": 100}
    probes = {"rule": OPPOSITE, "turned": {"line": "data.py:9"}}
    assert exchanged(make_window(probes=probes, eval_batch=right)) is None
