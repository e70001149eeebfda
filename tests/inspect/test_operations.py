"""Tests of recorded operations: their texts, and their sizes."""

from stetho.inspect.operations import Failure, Operand, Operation, TensorFacts

TENSOR = TensorFacts((2, 3), "float16", "cpu")


def test_a_tensor_knows_its_size() -> None:
    assert (TENSOR.elements, TENSOR.bytes, TensorFacts((), "int64", "cpu").bytes) == (6, 12, 8)


def test_an_operation_is_one_line() -> None:
    operation = Operation(3, "mul", "torch.mul", "forward", "fc", 0, "net.py:3", {}, (Operand(TENSOR),), (TENSOR,))
    assert str(operation) == "    3  mul(float16[2, 3]) → float16[2, 3]  fc · net.py:3"


def test_a_failure_is_one_sentence() -> None:
    inside = Failure("ValueError: x", "fc", "Linear", "linear", (Operand(TENSOR),), "net.py:3", "it does not fit")
    outside = Failure("ValueError: x", "", "Net", None, (), None)
    assert str(inside) == (
        "layer `fc` (Linear) failed in linear(float16[2, 3]) at net.py:3: ValueError: x; it does not fit"
    )
    assert str(outside) == "the model (Net) failed: ValueError: x"
