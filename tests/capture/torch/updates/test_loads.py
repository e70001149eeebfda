"""Weights that are loaded: from copies, or from the model itself."""

import copy

import pytest
import torch
from torch import nn

from ..conftest import mlp, sgd, train


def loads_of(record, keep, *, steps=2, load=None):
    """What is recorded of a state that `keep` makes of the model, loaded after some steps."""
    model = mlp()
    optimizer = sgd(model)

    def program():
        train(model, optimizer, 1)
        kept = keep(model)
        train(model, optimizer, steps)
        (load or model).load_state_dict(kept)

    (found,) = record(program, model, optimizer).model["loads"]
    return found


WITHOUT_COPY = {
    "the state itself": lambda model: model.state_dict(),
    "another dictionary": lambda model: {name: value for name, value in model.state_dict().items()},  # noqa: C416
    "moved to where it is": lambda model: {name: value.cpu() for name, value in model.state_dict().items()},
    "detached": lambda model: {name: value.detach() for name, value in model.state_dict().items()},
    "copied flatly": lambda model: copy.copy(model.state_dict()),
}
COPIES = {
    "deeply": lambda model: copy.deepcopy(model.state_dict()),
    "each cloned": lambda model: {name: value.clone() for name, value in model.state_dict().items()},
    "of a copied model": lambda model: copy.deepcopy(model).state_dict(),
}


@pytest.mark.parametrize("keep", WITHOUT_COPY.values(), ids=WITHOUT_COPY)
def test_a_state_that_was_trained_on_since_is_known_with_its_line(record, keep):
    load = loads_of(record, keep)
    assert (load["step"], load["kept"]) == (3, 1)
    assert load["kept_at"].startswith(__file__)


@pytest.mark.parametrize("keep", COPIES.values(), ids=COPIES)
def test_copies_are_no_such_state(record, keep):
    assert "kept" not in loads_of(record, keep)


def test_a_state_that_is_loaded_at_once_is_as_it_was(record):
    assert "kept" not in loads_of(record, lambda model: model.state_dict(), steps=0)


def test_a_state_goes_into_another_model(record):
    assert "kept" not in loads_of(record, lambda model: model.state_dict(), load=mlp())


def test_a_state_of_which_a_part_is_new_is_not_the_model_itself(record):
    assert "kept" not in loads_of(record, lambda model: model.state_dict() | {"2.bias": torch.zeros(2)})


def test_weights_that_no_optimizer_holds_are_changed_on_purpose(record):
    model = mlp()
    optimizer = sgd(model)
    averaged = copy.deepcopy(model)

    def program():
        average = averaged.state_dict()
        train(model, optimizer, 2)
        for name, value in model.state_dict().items():
            average[name].lerp_(value, 0.5)
        averaged.load_state_dict(average)

    (load,) = record(program, model, optimizer).model["loads"]
    assert "kept" not in load


def test_states_of_parts_and_odd_tensors_do_no_harm(record):
    class Odd(nn.Module):
        def __init__(self):
            super().__init__()
            self.fc = nn.Linear(4, 2)
            self.register_buffer("nothing", torch.zeros(0))

        def get_extra_state(self):
            return "a text"

        def set_extra_state(self, state):
            pass

        def forward(self, x):
            return self.fc(x)

    model = Odd()
    optimizer = sgd(model)

    def program():
        kept = model.state_dict()
        assert list(kept) == ["nothing", "_extra_state", "fc.weight", "fc.bias"]
        train(model, optimizer, 1)
        model.load_state_dict(kept)

    (load,) = record(program, model, optimizer).model["loads"]
    assert load["kept"] == 0
