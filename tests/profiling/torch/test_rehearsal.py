"""Work that may end the process."""

import os
import signal
from time import sleep

from stetho.profiling.torch.rehearsal import fatal_signal, products_of_bfloat16


def test_a_signal_that_ends_the_work_is_named_and_we_live_on() -> None:
    assert fatal_signal(lambda: os.kill(os.getpid(), signal.SIGILL)) == "SIGILL"


def test_work_that_ends_by_itself_or_in_an_error_is_survived() -> None:
    assert fatal_signal(lambda: None) is None
    assert fatal_signal(lambda: 1 / 0) is None


def test_work_that_does_not_end_is_left() -> None:
    assert fatal_signal(lambda: sleep(60), patience=0.05) is None


def test_products_are_rehearsed_without_harm_to_this_process() -> None:
    assert fatal_signal(products_of_bfloat16) in (None, "SIGILL")
