"""Gradients of a captured call. Those of a whole model are in test_capture.py."""

import numpy as np
import torch
from torch import nn

from stetho.comparing.models.trace import INPUT, OPERATION, Site
from stetho.comparing.torch.backward import gradients


def test_an_output_without_a_graph_has_none() -> None:
    tensor = torch.ones(2)
    assert gradients([Site(0, INPUT, "x", "", np.ones(2))], [(tensor, 0)], nn.Linear(2, 2), [0], of_sites=True) == (
        {},
        [],
    )


def test_sites_get_theirs_only_where_that_is_asked_for() -> None:
    model, given = nn.Linear(2, 3), torch.ones(4, 2, requires_grad=True)
    output = model(given)
    for of_sites in (False, True):
        sites = [Site(0, INPUT, "x", "", np.ones((4, 2))), Site(1, OPERATION, "linear", "", np.ones((4, 3)))]
        found = gradients(
            sites, [(given, 0), (model(given), 0) if of_sites else (output, 0)], model, [1], of_sites=of_sites
        )
        assert set(found[0]) == {"weight", "bias"}
        assert sites[0].gradient is not None
        assert (sites[1].gradient is not None) == of_sites
