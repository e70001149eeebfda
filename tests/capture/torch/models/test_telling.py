"""A reader of the text that fails tells nothing."""

from stetho.capture.torch.models.telling import told


def _fail(_line: str) -> str:
    raise RecursionError


def test_what_a_reader_says_is_handed_on_with_its_arguments() -> None:
    assert told(lambda line, more: line + more, "train.py:", "3") == "train.py:3"


def test_a_failure_and_a_line_that_is_not_known_tell_nothing() -> None:
    assert told(_fail, "train.py:3") is None
    assert told(str.upper, None) is None
