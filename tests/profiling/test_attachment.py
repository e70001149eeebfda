"""Settings, and the profiler on and off."""

import pytest

from stetho.capture.guard import fault_at
from stetho.errors import UsageError
from stetho.profiling.attachment import Attachment, Settings


def one_update() -> None:
    import torch

    parameter = torch.zeros(1, requires_grad=True)
    parameter.grad = torch.zeros(1)
    torch.optim.SGD([parameter], lr=0.1).step()


@pytest.mark.parametrize(
    "wrong", [{"steps": 0}, {"warmup": -1}, {"trial_seconds": -2.0}, {"steps": "many"}, {"callback": 3}]
)
def test_settings_that_mean_nothing_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(UsageError, match=f"`{next(iter(wrong))}` .* must be"):
        Settings(**wrong)  # type: ignore[arg-type]


def test_without_a_framework_nothing_is_measured_and_nothing_goes_wrong() -> None:
    attachment = Attachment(Settings(), ends_program=False)
    attachment.step_done()
    assert not attachment.failed(ValueError())
    assert attachment.finish() is None
    assert attachment.problem == "the program did not import torch"


def test_an_error_of_ours_takes_the_profiler_off() -> None:
    pytest.importorskip("torch")
    attachment = Attachment(Settings(), ends_program=False)
    attachment.start()
    fault_at("update end")
    try:
        one_update()
    finally:
        fault_at(None)
    assert attachment.is_done
    assert attachment.problem == "profiling stopped at `update end`: RuntimeError: fault injected at `update end`"
    assert attachment.finish() is None
