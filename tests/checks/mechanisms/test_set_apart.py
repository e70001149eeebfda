import numpy as np
import pytest

from stetho.checks.mechanisms.set_apart import are_gathered, evaluations, is_set_apart, known_shares
from stetho.checks.run.facts import Loader
from stetho.testing import make_window

TRAIN = np.arange(60 * 32).reshape(60, 32) % 640
PARTLY = np.arange(3 * 32).reshape(3, 32) * 373 % 1280
BY_HAND = {"samples": TRAIN, "loader": None, "size": 32}


def apart(train: dict[str, object], evaluation: dict[str, object], **facts: object) -> bool:
    return is_set_apart(make_window(batch=train, eval_batch=evaluation, **facts), 0, np.arange(640))


def test_knows_the_share_of_each_batch() -> None:
    rows = make_window(eval_batch={"samples": [np.arange(4), np.arange(2, 6), None]}).batches("eval")
    assert known_shares(rows, np.arange(4)).tolist() == [1.0, 0.5]


@pytest.mark.parametrize(("length", "is_apart"), [(64, True), (640, False)])
def test_a_loader_over_another_number_of_samples_is_set_apart(length: int, is_apart: bool) -> None:
    loaders = [Loader(0, length=640), Loader(1, length=length)]
    assert apart({"samples": TRAIN}, {"samples": TRAIN[:3]}, loaders=loaders) == is_apart


def test_batches_that_mix_both_kinds_are_set_apart_and_all_training_data_are_not() -> None:
    assert apart(BY_HAND, {"samples": PARTLY, "loader": None})
    assert not apart(BY_HAND, {"samples": TRAIN[:20], "loader": None})


def test_a_test_set_may_lie_within_the_training_data() -> None:
    part = {"samples": [TRAIN[0]] * 3, "loader": None, "size": 200, "step": [20, 40, 60]}
    assert apart(BY_HAND, part)
    for other in ({"size": 640}, {"size": 32}, {"samples": [TRAIN[place] for place in range(3)]}):
        assert not apart(BY_HAND, part | other), "all training data, one batch, or other samples each time"


def test_all_data_at_once_are_not_set_apart_where_nothing_is_judged() -> None:
    mixed = {"samples": PARTLY, "loader": None, "size": 1300, "step": [60] * 3}
    silent = {"loss_call": None, "counted": None}
    assert apart(BY_HAND, mixed)
    assert not apart(BY_HAND, mixed | silent)
    assert apart(BY_HAND, mixed | silent | {"size": 100})


def test_what_was_not_looked_at_counts_to_the_training_data() -> None:
    draw = np.random.default_rng(0)
    seen = {"samples": draw.integers(0, 1600, (60, 32)), "loader": None, "size": 64}
    known = np.unique(seen["samples"])
    part = {"samples": [draw.integers(0, 1600, 60)] * 4, "loader": None, "step": [15, 30, 45, 60]}
    sizes = {size: make_window(batch=seen, eval_batch=part | {"size": size}) for size in (1200, 1600)}
    assert {size: is_set_apart(window, 0, known) for size, window in sizes.items()} == {1200: True, 1600: False}


def test_data_that_are_drawn_anew_meet_an_evaluation_by_chance() -> None:
    draw = np.random.default_rng(0)
    seen = {"samples": draw.integers(0, 20_000, (60, 32)), "loader": None, "size": 64}
    known = np.unique(seen["samples"])
    asked = np.concatenate([known[:10], np.arange(50) + 30_000])
    part = {"samples": [asked] * 4, "loader": None, "step": [15, 30, 45, 60], "size": 500}
    assert not is_set_apart(make_window(batch=seen, eval_batch=part), 0, known)


def test_what_a_teacher_is_asked_in_the_steps_of_another_model_is_no_evaluation() -> None:
    taught = BY_HAND | {"step": np.arange(60) // 3 + 1}
    asked = {"samples": np.tile(PARTLY, (8, 1)), "loader": None, "step": np.arange(30, 54)}
    counted = np.where(np.arange(24) < 2, 32.0, np.nan)
    kept = make_window(batch=taught, eval_batch=asked | {"loss_call": None, "counted": counted})
    assert evaluations(kept, 0)["step"].tolist() == [30, 31], "answers that are compared are an evaluation"
    assert evaluations(make_window(batch=taught, eval_batch=asked), 0).count == 24


def test_samples_that_are_trained_on_only_after_they_were_asked_are_gathered() -> None:
    samples, times = np.arange(60 * 32).reshape(60, 32), np.arange(60.0)

    def gathered(asked: list[object], when: list[float]) -> bool:
        rows = make_window(batch={"samples": samples, "time": times}, eval_batch={"samples": asked, "time": when})
        return are_gathered(rows.batches("train"), rows.batches("eval"))

    assert gathered([*samples[20:40]], [*times[20:40] - 0.5])
    assert not gathered([*samples[20:40]], [*times[20:40] + 0.5])
    assert not gathered([*samples[20:40], samples[20:40].ravel()], [*times[20:40] - 0.5, 70.0]), "tested at the end"
