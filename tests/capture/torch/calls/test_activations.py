"""Measurements of a step: put together by series, in the phase that its pass turned out to have."""

import weakref

import pytest
import torch
from torch import nn

from stetho.capture.recorder import Recorder
from stetho.capture.torch.calls.activations import Activations, Span, series_of
from stetho.capture.torch.models.models import Layer
from stetho.config import make_options
from stetho.stats.torch_kernel import measure
from stetho.store.reader import open_run


@pytest.fixture
def recorder(tmp_path):
    return Recorder(make_options(out=tmp_path), ["train.py"], list)


@pytest.fixture
def activations(recorder):
    return Activations(recorder)


@pytest.fixture
def layer():
    return Layer(weakref.ref(nn.Identity()), 0, "fc", "Identity")


def rows(recorder):
    recorder.close({})
    keys = ("step", "name", "role", "phase", "calls", "count", "mean")
    return [tuple(row[key] for key in keys) for row in open_run(recorder.path).table("stats").to_pylist()]


def values(*numbers):
    return measure(torch.tensor(numbers))


def test_several_measurements_of_one_series_are_one_row(activations, recorder, layer):
    span = Span("train")
    activations.add(layer, "", "act", span, values(1.0, 3.0))
    activations.add(layer, "", "act", span, values(5.0))
    activations.flush(4)
    assert rows(recorder) == [(4, "fc", "act", "train", 2, 3, 3.0)]


def test_roles_and_paths_are_series_of_their_own(activations, recorder, layer):
    span = Span("train")
    activations.add(layer, "[0]", "act", span, values(1.0))
    activations.add(layer, "[0]", "act_grad", span, values(2.0))
    activations.add(layer, "[1]", "act", span, values(3.0))
    activations.flush(1)
    found = {(name, role): mean for _, name, role, _, _, _, mean in rows(recorder)}
    assert found == {("fc[0]", "act"): 1.0, ("fc[0]", "act_grad"): 2.0, ("fc[1]", "act"): 3.0}


def test_the_phase_is_the_one_at_the_end(activations, recorder, layer):
    span = Span("eval")
    activations.add(layer, "", "act", span, values(1.0))
    span.phase = "train"
    activations.flush(1)
    assert [row[3] for row in rows(recorder)] == ["train"]


def test_one_pass_can_be_handed_over_without_the_others(activations, recorder, layer):
    training, evaluation = Span("train"), Span("eval")
    activations.add(layer, "", "act", training, values(1.0))
    activations.add(layer, "", "act", evaluation, values(2.0))
    activations.flush(6, evaluation)
    activations.flush(7)
    assert sorted(row[0::3] for row in rows(recorder)) == [(6, "eval", 2.0), (7, "train", 1.0)]


def test_without_measurements_nothing_is_written(activations, recorder):
    activations.flush(1)
    assert recorder.path is None


def test_what_was_cleared_or_handed_over_is_gone(activations, recorder, layer):
    activations.add(layer, "", "act", Span("train"), values(1.0))
    activations.clear()
    activations.flush(1)
    assert recorder.path is None


def test_a_series_is_looked_up_once(recorder, layer):
    first = series_of(recorder, layer, "", "act", "train")
    assert series_of(recorder, layer, "", "act", "train") == first
    assert series_of(recorder, layer, "", "act", "eval") != first
    assert layer.series[("act", "", "train")] == first


def test_what_is_finished_elsewhere_is_handed_out_once(activations, layer):
    measured = values(1.0, 3.0)
    activations.add(layer, "[0]", "act", Span("train"), measured)
    assert activations.take() == ([layer.series[("act", "[0]", "train")]], [measured])
    assert activations.take() == ([], [])
