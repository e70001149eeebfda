"""`stetho visit`: every operation of a model, in the order in which they happen."""

import argparse
import sys
from fnmatch import fnmatchcase
from functools import partial
from typing import TYPE_CHECKING, Any

from stetho.commands.model_arguments import add_model_arguments, loaded
from stetho.errors import UsageError
from stetho.views.text import clipped

if TYPE_CHECKING:
    from stetho.inspect.operations import Operation

NAME = "visit"
MOST_NAMES = 400
HELP = "list every operation of a model: layer, inputs, outputs, arguments, source line"


def prepare(parser: argparse.ArgumentParser) -> None:
    """Declare the model and what is shown of it."""
    add_model_arguments(parser)
    parser.add_argument("--backward", action="store_true", help="go on with a backward pass from all outputs")
    parser.add_argument("--values", action="store_true", help="show range, mean and spread of the outputs")
    parser.add_argument("--layer", default="*", metavar="PATTERN", help="only operations of matching layers")
    parser.add_argument("--operation", default="*", metavar="PATTERN", help="only operations of matching names")
    parser.add_argument("--json", action="store_true", help="print one JSON object for each operation")


def run(arguments: argparse.Namespace) -> int:
    """Print the operations; when the model fails, those that ran, and then why."""
    from stetho.inspect.inputs import needed
    from stetho.inspect.torch.recording import record

    models = loaded(arguments)
    for place, (target, call) in enumerate(models):
        notes: dict[int, str] = {}
        recording = record(
            target.model,
            needed(target.model, call),
            on_operation=partial(_note, notes) if arguments.values else None,
            backward=arguments.backward,
            values=arguments.values,
            keep_failure=True,
        )
        wanted = [
            operation
            for operation in recording.operations
            if fnmatchcase(operation.layer, arguments.layer) and fnmatchcase(operation.name, arguments.operation)
        ]
        if recording.operations and not wanted and recording.failure is None and len(models) == 1:
            raise UsageError(_nothing(recording.operations, arguments.layer, arguments.operation))
        model = target.variable if len(models) > 1 else ""
        if model and not arguments.json:
            print(f"{chr(10) if place else ''}{model}\n")
        if wanted or recording.failure is None:
            show(wanted, notes, as_json=arguments.json, model=model)
        if recording.failure is not None:
            raise UsageError(str(recording.failure))
    return 0


def show(operations: "list[Operation]", notes: dict[int, str], *, as_json: bool, model: str = "") -> None:
    """Print operations as a table, or as lines of JSON, with the name of their model where there are several."""
    from stetho.store.documents import encode
    from stetho.views.operations import document_of, operation_table
    from stetho.views.table import no_room_for, print_table

    if not as_json:
        missing = print_table(*operation_table(operations, notes), sys.stdout)
        if missing:
            print(f"\n{no_room_for(missing)}")
        return
    for operation in operations:
        more: dict[str, Any] = {"values": notes[operation.number]} if notes else {}
        more |= {"model": model} if model else {}
        sys.stdout.write(encode(document_of(operation) | more).decode().rstrip() + "\n")


def _nothing(operations: "list[Operation]", layer: str, name: str) -> str:
    """What is said when a pattern matches nothing: the one that does, with what there is."""
    layers = dict.fromkeys(each.layer or "(model)" for each in operations)
    names = dict.fromkeys(each.name for each in operations)
    if not any(fnmatchcase(each.layer, layer) for each in operations):
        return f"no operation is in a layer that matches `{layer}`; there are {clipped(', '.join(layers), MOST_NAMES)}"
    within = "" if layer == "*" else f" in layers that match `{layer}`"
    return f"no operation matches `{name}`{within}; there are {clipped(', '.join(names), MOST_NAMES)}"


def _note(notes: dict[int, str], operation: "Operation") -> None:
    from stetho.capture.torch.failure.tensors import tensor_line

    # The line begins with type, shape and device, which have columns of their own.
    texts = [tensor_line(each.value).partition(f"{each.device} ")[2] for each in operation.outputs]
    notes[operation.number] = " | ".join(texts)
