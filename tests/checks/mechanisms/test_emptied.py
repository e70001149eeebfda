import pytest

from stetho.checks.data.constant_input import constant_input
from stetho.checks.mechanisms.emptied import emptied_column
from stetho.testing import make_window

LINES = {"mapped": ["prepare.py:28"]}
ZEROS = {"rows": 900, "columns": 0, "zeros": [2]}
GUESS = {"correct": 14}


def judged(found=ZEROS, lines=LINES, *, batch=GUESS, steps=200, ask=emptied_column):
    return ask(make_window(steps=steps, probes={"far_values": found}, lines=lines, batch=batch, eval_batch=batch))


def test_finds_a_column_of_zeros_beside_a_translation():
    found = judged()
    assert (found.where.line, found.severity) == (28, "warning")
    assert "column 2" in found.title


def test_names_several_columns():
    assert "columns 1, 4" in judged(ZEROS | {"zeros": [1, 4]}).title


@pytest.mark.parametrize(
    "changed",
    [
        {"found": ZEROS | {"zeros": []}},
        {"found": ZEROS | {"rows": 60}},
        {"found": {}},
        {"lines": {}},
        {"batch": {"correct": 31}},
        {"steps": 40},
    ],
    ids=["no zeros", "few rows", "nothing seen", "no translation", "learnt", "a beginning"],
)
def test_stays_quiet_without_one_of_its_reasons(changed):
    assert judged(**changed) is None


def test_the_check_asks():
    assert judged(ask=constant_input) is not None
