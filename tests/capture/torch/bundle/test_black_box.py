"""When a bundle is written, and what is said."""

from importlib import metadata

import torch
from torch import nn

import stetho
from stetho.capture.torch.bundle import writing

from .trainings import KINDS


def test_without_being_asked_for_nothing_is_written(tmp_path):
    with stetho.watch(out=tmp_path, quiet=True) as watching:
        KINDS["dropout"]()
    assert not list(watching.path.glob("bundle-*"))


def test_says_what_it_contains(bundle_of, capsys):
    bundle_of("dropout")
    said = capsys.readouterr().err
    assert "batch, parameters, optimizer state and source of the model" in said
    assert "stetho replay" in said


def test_versions_machine_and_the_rows_before_are_in_it(bundle_of):
    document, _ = writing.read_bundle(bundle_of("dropout"))
    assert document["environment"]["versions"]["torch"] == metadata.version("torch")
    assert [row["step"] for row in document["rows"]] == [1, 2]


def test_a_size_limit_is_announced(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(writing, "LARGEST", 10)
    with stetho.watch(out=tmp_path, quiet=True, bundle=True):
        KINDS["dropout"]()
    assert "no bundle of step 3: the step holds" in capsys.readouterr().err


def test_a_spike_of_the_loss_is_worth_one(tmp_path):
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-4)
    with stetho.watch(model, optimizer, out=tmp_path, quiet=True, bundle=True) as watching:
        for step in range(30):
            optimizer.zero_grad()
            (model(torch.ones(2, 4)).square().mean() * (1000 if step == 27 else 1)).backward()
            optimizer.step()
    assert [folder.name for folder in watching.path.glob("bundle-*")] == ["bundle-step-00000028"]
