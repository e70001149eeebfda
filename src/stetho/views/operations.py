"""Operations of a model as text: a line for each, as wide as the terminal allows."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from stetho.inspect.operations import Operation, TensorFacts
from stetho.views import text
from stetho.views.summary_lines import short_place
from stetho.views.table import Column

WIDEST = 60


def operation_table(operations: Iterable[Operation], notes: dict[int, str]) -> tuple[list[Column], list[list[str]]]:
    """Columns and rows for operations; `notes` are values by the number of the operation, where they are wanted."""
    columns = [
        Column("#"),
        Column("operation", is_text=True),
        Column("layer", is_text=True, is_dotted=True),
        Column("inputs", is_text=True, is_optional=True),
        Column("output", is_text=True),
        Column("line", is_text=True, is_optional=True),
        Column("arguments", is_text=True, is_optional=True),
    ]
    rows = []
    for each in operations:
        rows.append(
            [
                str(each.number),
                each.name if each.phase == "forward" else f"{each.name} ({each.phase})",
                each.layer or "(model)",
                text.clipped(_briefly(operand.tensor for operand in each.inputs), WIDEST),
                text.clipped(_briefly(each.outputs) or text.MISSING, WIDEST),
                short_place(each.line or ""),
                text.clipped(arguments_text(each), WIDEST),
            ]
        )
        if notes:
            rows[-1].append(notes.get(each.number, ""))
    return [*columns, *([Column("values", is_text=True)] if notes else [])], rows


def arguments_text(operation: Operation) -> str:
    """The arguments that are no tensors.

    >>> arguments_text(Operation(0, "f", "f", "forward", "", 0, None, {"dim": 1, "p": 0.5}, (), ()))
    'dim=1 p=0.5'
    """
    return " ".join(f"{name}={_value(value)}" for name, value in operation.arguments.items() if not _has_tensor(value))


def document_of(operation: Operation) -> dict[str, Any]:
    """An operation as JSON has it."""
    document = operation._asdict()
    document["arguments"] = {name: _plain(value) for name, value in operation.arguments.items()}
    document["inputs"] = [
        {"tensor": str(each.tensor), "maker": each.maker, "origin": each.origin} for each in operation.inputs
    ]
    document["outputs"] = list(_documents(operation.outputs))
    return document


def _documents(tensors: Iterable[TensorFacts]) -> Iterator[dict[str, Any]]:
    for each in tensors:
        yield {"shape": list(each.shape), "dtype": each.dtype, "device": each.device, "grad": each.requires_grad}


def _briefly(tensors: Iterable[TensorFacts]) -> str:
    """Shapes one after the other, equal neighbours once.

    >>> _briefly([TensorFacts((2, 3), "float32", "cpu")] * 3 + [TensorFacts((2,), "int64", "cpu")])
    '[2×3] ×3 int64[2]'
    """
    counts = [(each, len(list(alike))) for each, alike in groupby(map(_brief, tensors))]
    return " ".join(f"{each} ×{count}" if count > 1 else each for each, count in counts)


def _brief(tensor: TensorFacts) -> str:
    kind = "" if tensor.dtype == "float32" else tensor.dtype
    return f"{kind}[{'×'.join(map(str, tensor.shape))}]"


def _plain(value: Any) -> Any:
    if isinstance(value, TensorFacts):
        return str(value)
    if isinstance(value, list):
        return [_plain(each) for each in value]
    return {key: _plain(each) for key, each in value.items()} if isinstance(value, dict) else value


def _value(value: Any) -> str:
    return ",".join(map(_value, value)) if isinstance(value, list) else str(value)


def _has_tensor(value: Any) -> bool:
    return isinstance(value, TensorFacts) or (isinstance(value, list) and any(map(_has_tensor, value)))
