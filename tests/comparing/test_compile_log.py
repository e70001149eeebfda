"""What a compiler writes, read back."""

from stetho.comparing.compile_log import CompileEvent, compile_events

LOG = """
V1116 06:13 torch/_dynamo/symbolic_convert.py:5124] [0/0] [__graph_breaks] Graph break in user code at /w/train.py:11
V1116 06:13 torch/_dynamo/symbolic_convert.py:5124] [0/0] [__graph_breaks]   Explanation: Dynamo cannot trace `item()`.
mean V1116 torch/_dynamo/guards.py:5396] [0/1] [__recompiles] Recompiling function forward in /w/train.py:8
V1116 torch/_dynamo/guards.py:5396] [0/1] [__recompiles]     - 0/0: tensor 'x' size mismatch. expected 4, actual 5
V1116 torch/_dynamo/guards.py:5396] [0/2] [__recompiles] Recompiling function forward in /w/train.py:8
V1116 torch/_dynamo/guards.py:5396] [0/2] [__recompiles]     - 0/1: self.n == 1       # self.n += 1  # train.py:10
"""


def test_events_have_line_reason_and_count() -> None:
    assert compile_events(LOG) == [
        CompileEvent("graph break", "/w/train.py:11", "Dynamo cannot trace `item()`."),
        CompileEvent("recompiled", "/w/train.py:8", "tensor 'x' size mismatch. expected 4, actual 5", 2),
    ]


def test_the_place_is_cut_from_a_guard() -> None:
    assert compile_events(LOG.partition("5\n")[2])[0].reason in ("self.n == 1", "Dynamo cannot trace `item()`.")


def test_a_program_that_says_nothing_has_no_events() -> None:
    assert compile_events("Traceback (most recent call last):\n") == []


def test_an_event_without_a_reason_says_so() -> None:
    text = "[__graph_breaks] Graph break in user code at a.py:1"
    assert compile_events(text)[0].reason == "no reason was given"
