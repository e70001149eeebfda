"""What is in a bundle."""

import pytest
import torch

from stetho.capture.torch.bundle import writing
from stetho.capture.torch.bundle.writing import function_name, read_bundle
from stetho.capture.torch.patches import Patches


def test_holds_batch_parameters_state_source_and_the_last_rows(bundle_of):
    document, tensors = read_bundle(bundle_of("dropout"))
    assert (document["format"], document["step"], document["reason"]) == (1, 3, "loss")
    assert {facts["parameter"] for facts in document["tensors"].values()} == {True, False}
    assert document["optimizers"][0]["class"][1] == "Adam"
    assert len(document["optimizers"][0]["state"]) == 6
    assert [row["step"] for row in document["rows"]] == [1, 2]
    assert any("class Residual" in source["text"] for source in document["sources"].values())
    assert len(tensors) > 10


def test_nothing_in_it_is_pickled(bundle_of):
    folder = bundle_of("batch_norm")
    assert sorted(file.name for file in folder.iterdir()) == ["bundle.json", "source", "tensors.safetensors"]


def test_a_step_that_is_too_large_is_refused(monkeypatch, tmp_path):
    monkeypatch.setattr(writing, "LARGEST", -1)
    with pytest.raises(writing.TooLarge, match="MiB"):
        writing.write_bundle(tmp_path / "b", [], {}, [])


@pytest.mark.parametrize(("owner", "name"), [("torch.Tensor", "sub"), ("torch.Tensor", "__rsub__"), ("torch", "sub")])
def test_a_function_that_is_wrapped_has_the_name_of_the_plain_one(owner, name):
    home, patches = {"torch": torch, "torch.Tensor": torch.Tensor}[owner], Patches()
    patches.around(home, name)
    try:
        assert function_name(getattr(home, name)) == f"{owner}.{name}"
    finally:
        patches.undo()
