import pytest

from stetho.checks.declare import Skip
from stetho.checks.model.discarded_result import discarded_result
from stetho.testing import make_window

LINES = {"discarded": ["model.py:22"]}
GUESS = {"correct": 8}


def test_names_the_line_and_what_is_written_there():
    given = {"model.py:22": {"discarded": "x + self.pe"}}
    found = discarded_result(make_window(lines=LINES, given=given, batch=GUESS, eval_batch=GUESS))
    assert found.where.line == 22
    assert "`x + self.pe`" in found.title


def test_does_without_the_text():
    found = discarded_result(make_window(lines=LINES, batch=GUESS, eval_batch=GUESS))
    assert "this line" in found.title
    assert found.severity == "warning"


def test_is_a_note_where_the_model_learns_well():
    window = make_window(lines=LINES, batch={"correct": 32}, eval_batch={"correct": 32})
    assert discarded_result(window).severity == "note"


def test_is_skipped_where_all_results_are_kept():
    with pytest.raises(Skip):
        discarded_result(make_window())
