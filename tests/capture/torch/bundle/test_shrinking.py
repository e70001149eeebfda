"""Smaller steps that fail the same way."""

import pytest

from stetho.capture.torch.bundle.shrinking import failure, shrunk
from stetho.capture.torch.bundle.writing import read_bundle

from .trainings import KINDS


@pytest.mark.parametrize("kind", KINDS)
def test_a_shrunk_step_still_fails_and_is_smaller(kind, bundle_of):
    bundle = read_bundle(bundle_of(kind))
    (document, tensors), words = shrunk(bundle)
    assert failure((document, tensors)) is not None
    assert document["batch_size"] <= 2
    assert words
    assert sum(tensor.nbytes for tensor in tensors.values()) < sum(tensor.nbytes for tensor in bundle[1].values())


def test_the_layer_that_fails_is_enough(bundle_of):
    (document, _), words = shrunk(read_bundle(bundle_of("inside_a_layer")))
    assert [module["class"][1] for module in document["modules"]] == ["Root"]
    assert words[0] == "only the layer `1` of the model, with the input it had"
