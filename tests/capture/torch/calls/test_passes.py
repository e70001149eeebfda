"""The phase of a pass, as far as its beginning tells."""

import weakref

import pytest
import torch
from torch._subclasses import FakeTensorMode
from torch.fx.experimental.proxy_tensor import make_fx

from stetho.capture.torch.calls.passes import Pass, is_transformed
from stetho.capture.torch.models.models import Layer, Model

from ..conftest import mlp


@pytest.mark.parametrize(
    ("training", "grad", "phase"),
    [(True, True, "train"), (True, False, "eval"), (False, True, "eval"), (False, False, "eval")],
)
def test_training_needs_training_mode_and_gradients(training, grad, phase):
    module = mlp().train(training)
    model = Model(0, weakref.ref(module), "Sequential")
    begun = Pass(model, Layer(weakref.ref(module), 0, "", "Sequential"), module, grad)
    assert (begun.phase, begun.training, begun.grad) == (phase, training, grad)
    assert begun.called == id(module)
    assert not begun.full


def test_a_flag_that_was_set_on_the_outermost_module_alone_is_not_evaluation_mode():
    module = mlp()
    module.training = False
    model = Model(0, weakref.ref(module), "Sequential")
    layer = Layer(weakref.ref(module), 0, "", "Sequential")
    assert Pass(model, layer, module, False).training
    module[-1].eval()
    assert not Pass(model, layer, module, False).training


@pytest.mark.filterwarnings("ignore:.*torch.jit.trace.*:DeprecationWarning")
def test_knows_when_tensors_stand_for_others():
    seen = []

    def look(x):
        seen.append(is_transformed())
        return x + 1

    look(torch.ones(2))
    torch.vmap(look)(torch.ones(2))
    torch.jit.trace(look, (torch.ones(2),), check_trace=False)
    make_fx(look)(torch.ones(2))
    with FakeTensorMode():
        look(torch.ones(2))
    assert seen == [False, True, True, True, True]
