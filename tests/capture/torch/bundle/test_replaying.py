"""A step of a bundle comes out the same."""

import json
import subprocess
import sys

import pytest
from safetensors.torch import save_file

from stetho.capture.torch.bundle.replaying import replay_bundle
from stetho.capture.torch.bundle.writing import read_bundle
from stetho.checks.evidence.autopsy import sentence

from .trainings import KINDS


@pytest.mark.parametrize("kind", KINDS)
def test_a_step_is_replayed_bit_for_bit(kind, bundle_of):
    result = replay_bundle(bundle_of(kind))
    assert result["same"], result
    assert not result["finite"]
    assert result["births"][0]["operation"] == ("sqrt" if kind == "inside_a_layer" else "log")


def test_in_a_fresh_process_it_is_the_same(bundle_of):
    folder = bundle_of("dropout")
    command = [sys.executable, "-m", "stetho", "replay", str(folder)]
    ended = subprocess.run(command, capture_output=True, text=True, cwd=folder.parent, timeout=120)
    assert ended.returncode == 0, ended.stderr
    assert "the same, bit for bit" in ended.stdout
    assert "log(0)" in ended.stdout


def test_another_value_is_told(bundle_of):
    folder = bundle_of("batch_norm")
    document = json.loads((folder / "bundle.json").read_text())
    document["events"][-1]["value"] = 1.0
    (folder / "bundle.json").write_text(json.dumps(document))
    assert not replay_bundle(folder)["same"]


@pytest.mark.parametrize(
    ("key", "says"),
    [
        ("input", "the input of the model has nan at [5, 1]: it came with the data"),
        (
            "parameter",
            "parameter 0.weight has nan at [5, 1] before the first operation: it was made in an earlier step",
        ),
    ],
)
def test_what_was_bad_before_the_step_is_named(key, says, bundle_of):
    folder = bundle_of("batch_norm")
    document, tensors = read_bundle(folder)
    (call,) = (event for event in document["events"] if event["kind"] == "call")
    first = document["modules"][document["modules"][call["module"]]["children"]["0"]]
    chosen = {"input": call["args"]["tuple"][0], "parameter": first["parameters"]["weight"]}[key]["tensor"]
    tensors[chosen][5, 1] = float("nan")
    save_file(tensors, folder / "tensors.safetensors")
    birth = replay_bundle(folder)["births"][0]
    assert sentence(birth) == says
    assert birth.get("samples") == ([5] if key == "input" else None)
