import pytest

from stetho.checks.mechanisms.misplaced import copied_inputs, skipped_tokens
from stetho.checks.run.facts import Loss
from stetho.findings.finding import Finding
from stetho.testing import make_window


def copied(train: float, evaluation: float) -> Finding | None:
    shares = (("train", train), ("eval", evaluation))
    losses = [Loss("cross_entropy", "train.py:9", phase, settings={"target_is_input": one}) for phase, one in shares]
    return copied_inputs(make_window(losses=losses))


def test_finds_targets_that_are_the_inputs_in_training_alone() -> None:
    assert "its inputs, token for token; in evaluation 3% are" in copied(1.0, 0.03).title


@pytest.mark.parametrize(("train", "evaluation"), [(1.0, 1.0), (0.1, 0.1)])
def test_stays_quiet_on_inputs_that_are_to_be_told_again_and_on_a_shift(train: float, evaluation: float) -> None:
    assert copied(train, evaluation) is None


def ahead(*places: int) -> Finding | None:
    losses = [Loss("cross_entropy", "train.py:9", settings={"target_ahead": one}) for one in places]
    return skipped_tokens(make_window(losses=losses))


def test_finds_targets_that_skip_the_next_token() -> None:
    assert ahead(2).where.line == 9
    assert "2 places ahead" in ahead(2).title


def test_stays_quiet_on_the_next_token_and_on_a_head_for_each_of_the_next() -> None:
    assert ahead(1) is None
    assert ahead(1, 2) is None
    assert ahead() is None


def written_on(shapes: list[list[int]], train: list[int], dtype: str = "int64") -> Finding | None:
    losses = [Loss("cross_entropy", "train.py:9", settings={"target_is_input": 1.0})]
    batch = {"shape": train, "dtype": dtype, "loss_call": "cross_entropy"}
    other = {"shape": shapes, "dtype": dtype, "step": [60] * len(shapes)}
    return copied_inputs(make_window(losses=losses, batch=batch, eval_batch=other))


@pytest.mark.parametrize("shapes", [[[40, 1]] * 6, [[1, 4], *[[1, 1]] * 6], [[40, 1 + place] for place in range(6)]])
def test_finds_a_model_that_writes_on_and_was_trained_to_repeat(shapes: list[list[int]]) -> None:
    assert "given its own answers" in written_on(shapes, [32, 6]).title


@pytest.mark.parametrize(
    ("shapes", "train"), [([[40, 6]] * 6, [32, 6]), ([[40, 1]] * 6, [32, 1]), ([[40, 1], *[[40, 6]] * 5], [32, 6])]
)
def test_stays_quiet_where_whole_inputs_are_given_back(shapes: list[list[int]], train: list[int]) -> None:
    assert written_on(shapes, train) is None


def read(calls: dict[str, object], evaluation: float = 1.0) -> Finding | None:
    shares = (("train", 1.0), ("eval", evaluation))
    losses = [Loss("cross_entropy", "train.py:9", phase, settings={"target_is_input": one}) for phase, one in shares]
    return copied_inputs(make_window(losses=losses, probes={"calls": calls}))


def test_finds_a_model_that_reads_one_way_and_is_asked_for_what_it_was_given_in_evaluation_too() -> None:
    assert "nothing to learn but to copy" in read({"future": 0.0, "at_future": 1.3}).title


@pytest.mark.parametrize("calls", [{"future": 0.4, "at_future": 1.3}, {"future": 0.0, "at_future": 0.0}, {}])
def test_stays_quiet_on_a_model_that_reads_the_whole_input_first(calls: dict[str, object]) -> None:
    assert read(calls) is None
