"""Results of the battery on the terminal."""

import io

import numpy as np

from stetho.equivalence.result import Equivalence, first_differences
from stetho.views.equivalence import equivalence_lines, print_equivalence


def drawn(found: Equivalence) -> str:
    return "\n".join("".join(piece for piece, _ in line).rstrip() for line in equivalence_lines(found, 80))


def test_an_equal_result() -> None:
    found = Equivalence("ddp", ("one process", "two"), 3, notes=["dropout was turned off"])
    assert drawn(found) == (
        "equivalent · ddp\n\n"
        "  first       one process\n"
        "  second      two\n"
        "  equal       all tensors of 3 steps, as far as rounding goes\n"
        "  note        dropout was turned off"
    )


def test_a_difference_with_its_reason_and_a_table() -> None:
    one, other = [{"grad/w": np.float32([1, 2])}], [{"grad/w": np.float32([1, 4])}]
    found = Equivalence("accumulate", ("a", "b"), 1, first_differences(one, other, tolerance=0.1, kinds={}), ["why"])
    file = io.StringIO()
    print_equivalence(found, file)
    text = file.getvalue()
    assert "  different   first at step 1: the gradient of `w`" in text
    assert "worst at [1]: 2 and 4" in text
    assert "  because     why" in text
    assert "grad  w     0.4851        2" in text


def test_what_one_side_lacks_is_said() -> None:
    differences = first_differences([{"grad/w": np.ones(2)}], [{}], tolerance=0.1, kinds={})
    assert "shape [2] in the first, nothing in the second" in drawn(Equivalence("dtype", ("a", "b"), 1, differences))
