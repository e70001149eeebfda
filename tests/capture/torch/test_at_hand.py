"""What a shell has at hand."""

import pytest
import torch
from torch import nn

from stetho.capture.torch.at_hand import commands_of, facts_of, print_stats
from stetho.capture.torch.autopsy.kept import RootCall
from stetho.capture.torch.autopsy.states import autocast_state, random_states

MODEL = nn.Sequential(nn.Linear(3, 2), nn.BatchNorm1d(2))
BATCH = torch.ones(4, 3)


def call(module=MODEL, *args):
    given = args or (BATCH,)
    return RootCall(module, "", given, {}, None, True, True, random_states(), autocast_state(), [0], module(*given))


def test_the_last_call_of_the_step_tells_model_and_batch():
    facts = facts_of([call(), call(MODEL[0])], None, 7, 0.5)
    assert (facts["model"], facts["step"], facts["loss"]) == (MODEL[0], 7, 0.5)
    assert facts["batch"][0] is BATCH


def test_inside_of_a_call_it_is_that_one():
    assert facts_of([call()], call(MODEL[1], torch.ones(4, 2)), 7, None)["model"] is MODEL[1]


def test_before_any_call_there_is_none():
    assert facts_of([], None, 1, None) == {"model": None, "batch": None, "loss": None, "step": 1}


@pytest.mark.parametrize(
    ("thing", "says"),
    [
        (torch.zeros(2), "float32[2] cpu 0, 0"),
        ("0", "float32[4, 2]"),
        ("0.weight", "float32[2, 3]"),
        ("1.running_mean", "float32[2] cpu"),
        ("2", "no layer, parameter or buffer is called '2'; there are: 0, 1, Sequential, 1.running_mean"),
        ((1, 2), "(1, 2)"),
    ],
)
def test_stats_tells_tensors_and_what_has_a_name(thing, says, capsys):
    commands_of([call()], str, print)["stats"](thing)
    assert says in capsys.readouterr().out


def test_dump_gives_what_was_written_and_next_step_is_handed_on():
    commands = commands_of([], lambda reason: f"bundle for {reason}", print)
    assert commands["dump"]() == "bundle for dump"
    assert commands["next_step"] is print


def test_anything_is_printed_in_one_line(capsys):
    print_stats(nn.Linear(2, 3))
    assert capsys.readouterr().out == "Linear(in_features=2, out_features=3, bias=True)\n"


def test_after_an_update_it_is_said_that_there_is_nothing_to_see(capsys):
    commands_of([], lambda _: None, lambda: None)["stats"]("weight")
    assert "no model was called since the last update" in capsys.readouterr().out
