"""Which of two lines is run after the other, as far as they stand in one function."""

from stetho.capture.text.syntax import function_around, loops_around, read


def is_later(line: str, than: str) -> bool:
    """Whether a line follows another in the same function, and no loop goes back from it.

    >>> from pathlib import Path
    >>> _ = Path("later.py").write_text("optimizer = SGD(model)\\nmodel.head = Linear(4, 2)\\n")
    >>> is_later("later.py:2", "later.py:1"), is_later("later.py:1", "later.py:2")
    (True, False)
    """
    file, tree, number = read(line)
    other, _, before = read(than)
    if file != other or number <= before:
        return False
    is_together = function_around(tree, number) is function_around(tree, before)
    return is_together and loops_around(tree, number) == loops_around(tree, before)
