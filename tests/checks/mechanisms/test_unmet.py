import pytest

from stetho.checks.mechanisms.unmet import unknown_words
from stetho.checks.run.facts import Parameter
from stetho.findings.finding import Finding
from stetho.testing import make_window


def unmet(unused: float = 0.5, right: int = 50, rows: int = 40, line: str | None = "train.py:9") -> Finding | None:
    answers = {"label_counts": [[50, 50]] * 60, "correct": right, "counted": 100}
    lines = {"looked up": [line]} if line else {}
    window = make_window(batch=answers, eval_batch={"label_counts": None}, step={"batch_size": 32}, lines=lines)
    return unknown_words(window, Parameter("emb.weight", (rows, 8), 8 * rows), unused)


def test_finds_words_that_are_looked_up_in_another_form() -> None:
    found = unmet()
    assert (found.severity, found.where.line) == ("warning", 9)
    assert "50% of the 40 rows of emb.weight were never used by 1,920 samples" in found.title


@pytest.mark.parametrize(
    "facts",
    [
        pytest.param({"unused": 0.1}, id="few rows without a use"),
        pytest.param({"right": 70}, id="something is learnt"),
        pytest.param({"rows": 400}, id="a large vocabulary in a short run"),
        pytest.param({"line": None}, id="no number for unknown words"),
    ],
)
def test_stays_quiet_where_rows_may_wait_for_their_words(facts: dict[str, float]) -> None:
    assert unmet(**facts) is None
