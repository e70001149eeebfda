"""Gradients of a captured call. Those of a whole model are in test_capture.py."""

import numpy as np
import torch
from torch import nn

from stetho.comparing.models.trace import INPUT, OPERATION, Site
from stetho.comparing.torch.backward import gradients


def test_an_output_without_a_graph_has_none() -> None:
    tensor = torch.ones(2)
    sites = [Site(0, INPUT, "x", "", np.ones(2))]
    assert gradients(sites, [(tensor, 0)], nn.Linear(2, 2), [0], (INPUT, OPERATION)) == ({}, [])


def test_sites_get_theirs_only_where_that_is_asked_for() -> None:
    model, given = nn.Linear(2, 3), torch.ones(4, 2, requires_grad=True)
    for kinds in ((), (INPUT,), (INPUT, OPERATION)):
        sites = [Site(0, INPUT, "x", "", np.ones((4, 2))), Site(1, OPERATION, "linear", "", np.ones((4, 3)))]
        weights, inputs = gradients(sites, [(given, 0), (model(given), 0)], model, [1], kinds)
        assert set(weights) == {"weight", "bias"}
        assert len(inputs) == (INPUT in kinds)
        assert [site.gradient is not None for site in sites] == [INPUT in kinds, OPERATION in kinds]
