import numpy as np
import pytest

from stetho.checks.data.split_leak import split_leak
from stetho.checks.declare import Skip
from stetho.checks.run.facts import Loss
from stetho.testing import make_window

TRAIN = np.arange(60 * 32).reshape(60, 32) % 640
PARTLY = np.arange(3 * 32).reshape(3, 32) * 373 % 1280


def test_finds_samples_in_a_loader_of_its_own() -> None:
    window = make_window(batch={"samples": TRAIN}, eval_batch={"samples": TRAIN[:3]})
    assert (split_leak(window).severity, split_leak(window).evidence["overlap"]) == ("warning", 1.0)


def test_finds_samples_of_both_kinds_without_loaders() -> None:
    window = make_window(batch={"samples": TRAIN, "loader": None}, eval_batch={"samples": PARTLY, "loader": None})
    assert split_leak(window).severity == "warning"


def test_is_a_note_where_few_possible_values_come_again_by_chance() -> None:
    rng = np.random.default_rng(0)
    drawn = rng.integers(0, 3000, (60, 32))
    window = make_window(
        batch={"samples": drawn, "loader": None},
        eval_batch={"samples": [rng.integers(0, 3000, 40)] * 3, "loader": None},
    )
    assert split_leak(window).severity == "note"


def test_is_a_note_where_bits_or_tokens_are_equal_by_chance() -> None:
    rng = np.random.default_rng(0)
    drawn = {"samples": rng.integers(0, 1000, (60, 32))}
    for kind in ({"dtype": "int64"}, {"min": 0.0, "max": 1.0, "mean": 0.5, "std": 0.5}):
        window = make_window(batch=drawn | kind, eval_batch={"samples": [rng.integers(0, 1000, 40)] * 3})
        assert split_leak(window).severity == "note"
    measured = make_window(batch=drawn, eval_batch={"samples": [rng.integers(0, 1000, 40)] * 3})
    assert split_leak(measured).severity == "warning", "measurements are not equal by chance"


def test_is_a_note_when_training_data_are_evaluated_as_a_whole() -> None:
    by_hand = make_window(batch={"samples": TRAIN, "loader": None}, eval_batch={"samples": TRAIN[:20], "loader": None})
    assert split_leak(by_hand).severity == "note"


def test_stays_quiet_on_data_of_their_own_and_on_few_possible_values() -> None:
    assert split_leak(make_window()) is None
    few = np.arange(60 * 32).reshape(60, 32) * 7 % 40
    doubled = np.concatenate([few[:, :16], few[:, :16]], 1)
    assert split_leak(make_window(batch={"samples": doubled}, eval_batch={"samples": doubled[:3]})) is None


def test_skips_when_few_samples_were_looked_at() -> None:
    with pytest.raises(Skip):
        split_leak(make_window(eval_batch={"samples": None}))


@pytest.mark.parametrize(("fields", "severity"), [(4, "note"), (12, "warning")])
def test_is_a_note_where_few_fields_with_few_values_are_drawn_again(fields: int, severity: str) -> None:
    whole = {"dtype": "int64", "min": 0.0, "max": 11.0, "shape": [[32, fields]] * 60, "samples": np.arange(60 * 32)}
    whole["samples"] = whole["samples"].reshape(60, 32)
    asked = np.append(np.arange(4), 10_000 + np.arange(36))
    assert split_leak(make_window(batch=whole, eval_batch={"samples": [asked] * 3})).severity == severity


def test_names_the_line_that_duplicates_rows_before_the_split() -> None:
    facts = {"lines": {"backward": ("train.py:32",)}, "given": {"train.py:32": {"rows": "train.py:8"}}}
    window = make_window(batch={"samples": TRAIN}, eval_batch={"samples": TRAIN[:3]}, **facts)
    assert split_leak(window).where.line == 8


def test_stays_quiet_on_states_that_a_policy_meets_before_it_learns_from_them() -> None:
    fresh = {"samples": np.arange(60 * 32).reshape(60, 32), "loader": None, "time": np.arange(60.0)}
    met = {"samples": fresh["samples"][20:40], "loader": None, "time": np.arange(20) + 19.5}
    assert split_leak(make_window(batch=fresh, eval_batch=met)) is None
    assert split_leak(make_window(batch=fresh, eval_batch=met | {"time": np.arange(20) + 20.5})).severity == "note"


def test_rows_that_were_doubled_before_the_split_are_no_sign_of_few_possible_ones() -> None:
    facts = {"lines": {"backward": ("train.py:32",)}, "given": {"train.py:32": {"rows": "train.py:8"}}}
    doubled = np.concatenate([TRAIN[:, :24], TRAIN[:, :8]], 1)
    half = [np.append(TRAIN[number], 9_000 + np.arange(64)) for number in range(3)]
    data = {"batch": {"samples": doubled}, "eval_batch": {"samples": half}}
    assert split_leak(make_window(**data)) is None
    assert split_leak(make_window(**data, **facts)).severity == "warning"


def test_all_nodes_of_a_graph_are_given_each_time_and_the_loss_takes_some() -> None:
    graph = {"samples": [np.arange(60)] * 60, "size": 300, "hash": 7.0, "loader": None}
    again = {"samples": [np.arange(60)] * 3, "size": 300, "hash": 7.0, "loader": None}
    with pytest.raises(Skip):
        split_leak(make_window(batch=graph, eval_batch=again, losses=[Loss("cross_entropy", input="float32[60, 3]")]))
    whole = make_window(batch=graph, eval_batch=again, losses=[Loss("cross_entropy", input="float32[300, 3]")])
    assert split_leak(whole).severity == "note"
