"""Tensors as plain numbers. Each error is made by really running torch."""

from typing import Any

import pytest

CASES = {
    "an_array_that_is_read_backwards": (
        "negative-strides",
        """
        import numpy as np
        torch.from_numpy(np.arange(4)[::-1])
        """,
        "cannot read backwards",
        ".copy()",
    ),
    "a_format_for_one_number": (
        "formatted-tensor",
        """
        losses = torch.ones(3)
        print(f'{losses:.3f}')
        """,
        "takes one number",
        "`.mean().item()` of it",
    ),
    "item_of_many": (
        "one-number",
        """
        x = torch.zeros(3)
        x.item()
        """,
        "`x` [3]",
        "`x.mean().item()`",
    ),
    "float_of_many": (
        "one-number",
        """
        x = torch.zeros(3)
        float(x)
        """,
        "`x` [3]",
    ),
    "truth_of_many": (
        "truth-of-many",
        """
        x = torch.zeros(3)
        if x > 1:
            pass
        """,
        "`x > 1`",
        ".any()",
        "`x is not None`",
    ),
    "an_array_of_objects": (
        "array-of-objects",
        """
        import numpy
        array = numpy.array([1, "a", None], dtype=object)
        torch.from_numpy(array)
        """,
        "type object",
        "array.astype('float32')",
    ),
    "a_list_for_an_array": (
        "not-an-array",
        """
        torch.from_numpy([1, 2])
        """,
        "got a list",
        "torch.tensor",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_explains(case: str, unsaid: Any) -> None:
    assert unsaid(*CASES[case]) == []
