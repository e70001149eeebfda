"""Values of layers in the step under way."""

import pytest
import torch
from torch import nn

from stetho.capture.guard import Guard
from stetho.capture.torch.autopsy.kept import Kept
from stetho.capture.torch.autopsy.look import LayersOfStep
from stetho.capture.torch.autopsy.tape import TapeMode


def test_outputs_and_gradients_are_those_of_the_step():
    model, x = nn.Sequential(nn.Linear(2, 3), nn.Tanh()), torch.ones(4, 2)
    kept = Kept(TapeMode(Guard(lambda _, text: pytest.fail(text))))
    kept.call_begins(model, "", (x,), {}, None)
    output = model(x)
    output.retain_grad()
    kept.call_ends(output, follow=True)
    loss = output.square().sum()
    kept.backward_begins(loss, None)
    loss.backward()
    layers = LayersOfStep(kept.events)
    assert set(layers) == {"Sequential", "0", "1"}
    assert torch.equal(layers["1"].output, output)
    assert torch.equal(layers["1"].grad, output.grad)
    assert "0" in repr(layers)
    assert len(layers) == 3
    with pytest.raises(KeyError, match=r"no layer 'encoder' in this step; there are: .*0"):
        layers["encoder"]
    kept.clear()


def test_gradients_of_a_loss_that_is_no_number_can_be_looked_at():
    model, x = nn.Linear(2, 3), torch.ones(4, 2)
    kept = Kept(TapeMode(Guard(lambda _, text: pytest.fail(text))))
    kept.call_begins(model, "", (x,), {}, None)
    output = model(x)
    kept.call_ends(output, follow=True)
    loss = (output * 0).log().sum()
    kept.backward_begins(loss, None)
    assert LayersOfStep(kept.events)["Linear"].grad.isnan().all()
