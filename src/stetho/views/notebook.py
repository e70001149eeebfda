"""Notebooks: how wide their cells are, and which cell a line of code is in."""

import sys
from pathlib import Path
from typing import Any

WIDTH_OF_A_CELL = 100


def is_notebook() -> bool:
    """Whether this process is the kernel of a notebook."""
    return "ipykernel" in sys.modules and _shell() is not None


def cell_of(path: Path) -> str | None:
    """The cell that the kernel wrote into this file to run it: `In[3]`; None for all other files."""
    numbers = getattr(getattr(_shell(), "compile", None), "_filename_map", None)
    number = numbers.get(str(path)) if isinstance(numbers, dict) else None
    return f"In[{number}]" if number is not None else None


def _shell() -> Any:
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython is not None else None
