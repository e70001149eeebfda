"""Sites and traces."""

import numpy as np

from stetho.comparing.models.trace import INPUT, OPERATION, Layer, Site, Trace


def trace() -> Trace:
    sites = [
        Site(0, INPUT, "x", "", np.zeros(2), is_data=True),
        Site(1, OPERATION, "relu", "act", np.zeros(2), (0,), call=1, is_data=True),
        Site(2, OPERATION, "neg", "", np.zeros(2), (0,), is_data=True),
    ]
    return Trace("net", sites, [Layer("act", "ReLU", 1, 1, 1)], [1])


def test_what_leads_to_no_output_does_not_live() -> None:
    assert [site.name for site in trace().living] == ["x", "relu"]


def test_consumers_are_known_by_what_they_take() -> None:
    assert trace().consumers == {0: [1, 2]}


def test_a_site_knows_its_layer() -> None:
    found = trace()
    assert found.layer_of(found.sites[1]) == found.layers[0]
    assert found.layer_of(found.sites[2]) is None


def test_single_precision_on_the_way_is_seen() -> None:
    found = trace()
    assert found.is_precise
    found.sites[1].value = np.zeros(2, np.float32)
    assert not found.is_precise
