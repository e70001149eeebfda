"""Random and precision states."""

import logging

import torch

from stetho.capture.torch.autopsy.states import autocast_state, eager, random_states, set_random_states, unnoticed


def test_random_states_can_be_put_back():
    states = random_states()
    first = torch.rand(3)
    set_random_states(states)
    assert torch.equal(torch.rand(3), first)


def test_mixed_precision_is_seen():
    assert autocast_state() == ()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert autocast_state() == (("cpu", torch.bfloat16),)


def test_what_is_compiled_runs_as_it_was_written():
    seen = []
    compiled = torch.compile(lambda x: x + 1, backend=lambda graph, _: seen.append("graph") or graph)
    with eager():
        compiled(torch.zeros(1))
    assert seen == []
    compiled(torch.zeros(1))
    assert seen == ["graph"]


def test_nothing_is_printed_or_logged_that_we_run_once_more(capsys, caplog):
    with unnoticed(), caplog.at_level("INFO"):
        print("again")
        logging.getLogger("model").info("again")
    logging.getLogger("model").error("afterwards")
    assert (capsys.readouterr().out, [record.message for record in caplog.records]) == ("", ["afterwards"])
