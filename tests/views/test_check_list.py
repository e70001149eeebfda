"""The list of all checks."""

from stetho.checks.declare import check
from stetho.checks.figures import Figures
from stetho.checks.window import Window
from stetho.views.check_list import COLUMNS, entries, rows


@check(severity="error", family="loss", explains=("loss-plateau",))
def double_softmax(window: Window) -> None:
    """Softmax applied twice."""


@check(severity="note", family="data", preview=True)
def batch_size_one(window: Window) -> None:
    """Batches of one sample."""


def test_lists_name_family_severity_figures_and_line() -> None:
    listed = entries([double_softmax, batch_size_one], {"double-softmax": Figures(1.0, 0.875, 8)})
    assert rows(listed) == [
        ["double-softmax", "loss", "error", "100 %", "88 %", "Softmax applied twice."],
        ["batch-size-one", "data (preview)", "note", "–", "–", "Batches of one sample."],
    ]
    assert all(len(row) == len(COLUMNS) for row in rows(listed))
    assert listed[0]["explains"] == ["loss-plateau"]
    assert listed[1]["precision"] is None
