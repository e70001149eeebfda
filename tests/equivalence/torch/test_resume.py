"""A training that was saved and loaded."""

import pytest
import torch

from stetho.equivalence.torch.resume import resume
from stetho.errors import UsageError
from tests.equivalence.setups import Setup


def test_a_whole_checkpoint_resumes_bit_by_bit() -> None:
    assert resume(lambda: Setup(drop=0.5)).is_equal


@pytest.mark.parametrize(
    ("forgets", "stage", "step", "reason"),
    [
        ("data", "input", 4, "place in the data is not restored: step 4 takes the batch of step 1"),
        ("model", "param", 4, "weights are not restored"),
        ("optimizer", "lr", 4, "`optimizer.state_dict()`"),
        ("scheduler", "lr", 5, "scheduler's state"),
        ("random", "act", 4, "torch.get_rng_state()"),
    ],
)
def test_what_was_forgotten_is_named(forgets: str, stage: str, step: int, reason: str) -> None:
    found = resume(lambda: Setup(drop=0.5, forgets=forgets))
    assert found.first_difference is not None
    assert (found.first_difference.stage, found.first_difference.step) == (stage, step)
    assert any(reason in each for each in found.reasons), found.reasons


def test_a_forgotten_optimizer_is_not_laid_to_the_scheduler() -> None:
    found = resume(lambda: Setup(forgets="optimizer"))
    assert len(found.reasons) == 1
    assert "scheduler" not in found.reasons[0]


def test_a_set_up_without_save_is_refused() -> None:
    with pytest.raises(UsageError, match="no `save` and `load`"):
        resume(lambda: {k: getattr(Setup(), k) for k in ("model", "optimizer", "batches", "loss")})


def test_a_forgotten_scaler_is_named() -> None:
    class Scaled(Setup):
        def __init__(self) -> None:
            super().__init__()
            self.scaler = torch.amp.GradScaler("cpu", init_scale=4.0, growth_interval=1)

    found = resume(Scaled)
    assert found.first_difference is not None
    assert (found.first_difference.stage, found.first_difference.step) == ("scale", 4)
    assert "gradient scaler" in found.reasons[0]


def test_data_that_a_new_process_draws_anew_is_told_from_a_forgotten_place() -> None:
    class Drawn(Setup):
        def __init__(self) -> None:
            super().__init__()
            self.data = [(torch.randn(4, 6), torch.randint(0, 3, (4,))) for _ in range(8)]

    found = resume(Drawn)
    assert found.first_difference is not None
    assert found.first_difference.stage == "input"
    assert "drawn or shuffled anew" in found.reasons[0]
