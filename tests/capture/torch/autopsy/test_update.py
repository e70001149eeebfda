"""What the last update made of a parameter."""

import pytest
import torch

from stetho.capture.torch.autopsy.update import stays_finite, update_document

NAN = float("nan")


def after(kind, state, value=NAN, dtype=torch.float32, **settings):
    parameter = torch.nn.Parameter(torch.tensor([0.0, value], dtype=dtype))
    optimizer = kind([parameter], **settings)
    optimizer.state[parameter] = {key: torch.tensor([0.0, number]) for key, number in state.items()}
    return update_document(parameter, optimizer)


@pytest.mark.parametrize(
    ("found", "expression"),
    [
        (after(torch.optim.Adam, {"exp_avg": 0.0, "exp_avg_sq": 0.0}, eps=0.0), "0 / (sqrt(0) + 0)"),
        (after(torch.optim.Adam, {"exp_avg": 0.0, "exp_avg_sq": 0.0}, dtype=torch.float16), "0 / (sqrt(0) + 0)"),
        (after(torch.optim.Adam, {"exp_avg": NAN, "exp_avg_sq": NAN}), "Adam update with a bad gradient"),
        (after(torch.optim.RMSprop, {"square_avg": -1.0}), "sqrt(-1)"),
        (after(torch.optim.SGD, {}, value=float("inf"), lr=1e30), "SGD update"),
        (after(torch.optim.SGD, {}, lr=float("inf")), "lr = inf"),
    ],
)
def test_the_state_tells_what_went_wrong(found, expression):
    assert found["expression"] == expression
    assert (found["index"], found["bad"]) == ([1], 1)


def test_says_when_eps_is_zero_in_half_precision():
    found = after(torch.optim.Adam, {"exp_avg": 0.0, "exp_avg_sq": 0.0}, dtype=torch.float16)
    assert "eps 1e-08 is 0 in float16" in found["why"]
    assert "eps must be 6e-05 or more" in found["prevention"]


def test_the_average_that_is_divided_is_told() -> None:
    found = after(torch.optim.Adam, {"exp_avg": 2e-5, "exp_avg_sq": 0.0}, dtype=torch.float16)
    assert found["expression"] == "2e-05 / (sqrt(0) + 0)"


def test_a_parameter_without_optimizer_is_described_all_the_same():
    assert update_document(torch.tensor([NAN]), None)["operation"] == "unknown"


@pytest.mark.parametrize(
    ("rate", "norm", "dtype", "stays"),
    [
        (0.01, 3.0, torch.float32, True),
        (0.01, 1e38, torch.float32, False),
        (1e30, 1.0, torch.float32, False),
        (float("nan"), 1.0, torch.float32, False),
        (0.01, 3.0, torch.float16, False),
    ],
)
def test_an_update_of_usual_size_cannot_have_been_too_large(rate, norm, dtype, stays):
    parameter = torch.nn.Parameter(torch.zeros(2, dtype=dtype))
    optimizer = torch.optim.SGD([parameter], lr=0.1)
    optimizer.param_groups[0]["lr"] = rate
    assert stays_finite(optimizer, norm) is stays
