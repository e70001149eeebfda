"""How a process came to its end."""

import signal

import pytest

from stetho.comparing.last_words import death_of, last_words

DUMP = """Fatal Python error: Illegal instruction

Current thread 0x00007fd4a21c7b80 (most recent call first):
  File "/x/site-packages/torch/nn/modules/linear.py", line 134 in forward
  File "/home/train.py", line 9 in <module>
"""


def test_the_line_of_the_program_is_named_not_that_of_torch() -> None:
    assert "(SIGILL) at /home/train.py:9: " in str(death_of(-signal.SIGILL, DUMP))
    assert "(SIGILL) at train.py:9: " in str(death_of(-4, f"stetho: Illegal instruction · train.py:9\n{DUMP}"))


@pytest.mark.parametrize(
    ("which", "words"), [(signal.SIGKILL, "memory"), (signal.SIGSEGV, "stack"), (signal.SIGTERM, "outside")]
)
def test_each_death_has_a_next_move(which: signal.Signals, words: str) -> None:
    assert words in str(death_of(-which, ""))


def test_signals_without_a_name_are_told_by_number() -> None:
    assert death_of(-250, "") == "the process died of signal 250"


def test_the_error_is_quoted_and_not_what_follows_it() -> None:
    assert last_words('Traceback:\n  File "a.py", line 1, in f\n    g()\nKeyError: 1\nmore\n') == "KeyError: 1"
