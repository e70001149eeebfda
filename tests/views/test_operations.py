"""Tests of operations as text."""

import io

from stetho.inspect.operations import Operand, Operation, TensorFacts
from stetho.views.operations import arguments_text, document_of, operation_table
from stetho.views.table import print_table

TENSOR = TensorFacts((2, 3), "float32", "cpu")
LABELS = TensorFacts((2,), "int64", "cpu", requires_grad=False)
LOSS = Operation(
    4,
    "cross_entropy",
    "torch.nn.functional.cross_entropy",
    "forward",
    "",
    0,
    "/elsewhere/net.py:3",
    {"input": TENSOR, "target": LABELS, "reduction": "mean", "weights": [TENSOR], "dims": [0, 1]},
    (Operand(TENSOR, 3), Operand(LABELS, None, "input 1")),
    (TensorFacts((), "float32", "cpu"),),
)


def drawn(operations: list[Operation], notes: dict[int, str]) -> str:
    file = io.StringIO()
    print_table(*operation_table(operations, notes), file)
    return file.getvalue()


def test_a_row_tells_shapes_arguments_and_line() -> None:
    row = drawn([LOSS], {}).splitlines()[1]
    assert row.split() == ["4", "cross_entropy", "(model)", "[2×3]", "int64[2]", "[]", "/elsewhere/net.py:3",
                           "reduction=mean", "dims=0,1"]  # fmt: skip


def test_values_have_a_column_where_they_are_wanted() -> None:
    assert "values" in drawn([LOSS], {4: "min 0"})
    assert "min 0" in drawn([LOSS], {4: "min 0"})


def test_a_backward_operation_says_so() -> None:
    assert "mul (backward)" in drawn([LOSS._replace(name="mul", phase="backward")], {})


def test_tensors_among_the_arguments_stand_with_the_inputs() -> None:
    assert arguments_text(LOSS) == "reduction=mean dims=0,1"


def test_the_document_is_plain() -> None:
    document = document_of(LOSS)
    assert document["arguments"]["weights"] == ["float32[2, 3]"]
    assert document["inputs"][0] == {"tensor": "float32[2, 3]", "maker": 3, "origin": None}
    assert document["outputs"] == [{"shape": [], "dtype": "float32", "device": "cpu", "grad": False}]
