"""The first difference: values before gradients, and the error as it is seen in the models' own type."""

import numpy as np
import torch
from torch import nn

from stetho.comparing.models.compare import compare_models
from stetho.comparing.models.first_difference import error_of
from tests.comparing.models import backward_pairs as b


def test_values_come_before_gradients() -> None:
    one, other = b.cut("round")
    nn.init.zeros_(other.outward.weight)
    difference = compare_models(one, other, (4, 5), port=False).first_difference
    assert difference is not None
    assert difference.stage == "forward"


def test_of_a_gradient_the_error_is_that_of_the_gradient() -> None:
    difference = compare_models(*b.cut("last bias"), torch.ones(4, 5), port=False).first_difference
    assert difference is not None
    assert difference.error is not None
    assert (difference.error.count, difference.error.other) == (3, 0.0)


def test_errors_are_those_of_the_models_own_type_where_they_show_there() -> None:
    one = np.ones(3)
    near, nearer = error_of(one, one + 1e-6, "float32"), error_of(one, one + 1e-12, "float32")
    assert near is not None
    assert nearer is not None
    assert near.ulps == 8
    assert nearer.max_abs < 1e-11
