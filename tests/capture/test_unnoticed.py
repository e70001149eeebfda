"""Warnings name the line of the program, not ours that stand in between."""

import logging
import warnings
from threading import Thread

import pytest
import torch
from torch import nn

import stetho
from stetho.capture.torch.patches import Patches
from stetho.capture.unnoticed import unnoticed, without_logging, without_warnings


class Old:
    """Warns its caller."""

    def call(self):
        warnings.warn("old", DeprecationWarning, stacklevel=2)
        return self


def warned(action):
    with pytest.warns() as caught:
        action()
    return [each.filename for each in caught]


def test_a_warning_behind_one_of_our_wrappers_names_the_caller():
    patches = Patches()
    patches.around(Old, "call", before=lambda *_: None)
    try:
        assert warned(lambda: Old().call()) == [__file__]
    finally:
        patches.undo()


def test_a_schedule_that_warns_names_the_line_of_the_program(tmp_path):
    model = nn.Linear(2, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    schedule = torch.optim.lr_scheduler.StepLR(optimizer, 1)
    with stetho.watch(model, optimizer, out=tmp_path):
        assert warned(schedule.step) == [__file__]


def test_functions_of_others_stay_as_they_are():
    def mine():
        return 1

    assert unnoticed(mine).__code__.co_filename == __file__
    assert unnoticed(len) is len


def test_what_was_said_once_is_not_said_again_after_a_look_of_ours():
    def lines_that_warn():
        warnings.simplefilter("default")
        for _ in range(3):
            warnings.warn("once is enough", stacklevel=1)
            with without_warnings():
                warnings.warn("nobody is told", stacklevel=1)

    with pytest.warns() as caught:
        lines_that_warn()
    assert [str(each.message) for each in caught] == ["once is enough"]


def test_filters_of_the_program_are_as_they_were_even_after_an_error():
    before = list(warnings.filters)
    with pytest.raises(KeyError), without_warnings():
        raise KeyError
    assert warnings.filters == before


def test_a_watched_program_is_warned_as_often_as_a_bare_one(tmp_path):
    def training():
        warnings.simplefilter("default")
        model = nn.Linear(2, 1)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        with stetho.watch(model, optimizer, out=tmp_path):
            for _ in range(6):
                warnings.warn("of the program", stacklevel=1)
                optimizer.zero_grad()
                model(torch.ones(4, 2)).pow(2).mean().backward()
                optimizer.step()

    with pytest.warns() as caught:
        training()
    assert [str(each.message) for each in caught] == ["of the program"]


def test_what_another_thread_logs_is_logged_while_ours_is_not(caplog):
    with without_logging():
        logging.getLogger("ours").error("ours")
        other = Thread(target=lambda: logging.getLogger("theirs").error("theirs"))
        other.start()
        other.join()
    assert [record.message for record in caplog.records] == ["theirs"]
