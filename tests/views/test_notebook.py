"""What a view knows of the notebook that it is drawn in."""

import io
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from stetho.views.console import console_for
from stetho.views.notebook import WIDTH_OF_A_CELL, cell_of, is_notebook
from stetho.views.summary_lines import short_place

CELL = "/tmp/ipykernel_7/214728972.py"


@pytest.fixture
def notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    shell = SimpleNamespace(compile=SimpleNamespace(_filename_map={CELL: 3}))
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    monkeypatch.setitem(sys.modules, "ipykernel", SimpleNamespace())


@pytest.mark.usefixtures("notebook")
def test_a_line_of_a_cell_is_named_by_the_cell() -> None:
    assert short_place(f"{CELL}:2") == "In[3]:2"
    assert cell_of(Path("/work/train.py")) is None


@pytest.mark.usefixtures("notebook")
def test_text_goes_to_the_cell_as_one_stream_of_a_width() -> None:
    file = io.StringIO()
    console = console_for(file)
    console.print("plain")
    assert (is_notebook(), console.width, file.getvalue()) == (True, WIDTH_OF_A_CELL, "plain\n")


def test_elsewhere_there_are_no_cells() -> None:
    assert (is_notebook(), cell_of(Path(CELL))) == (False, None)
