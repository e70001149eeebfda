"""The phase of a pass, as far as its beginning tells."""

import weakref

import pytest

from stetho.capture.torch.calls.passes import Pass
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
