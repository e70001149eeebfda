"""What is in a bundle."""

import pytest

from stetho.capture.torch.bundle import writing
from stetho.capture.torch.bundle.writing import read_bundle


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
