"""A profile as files: one JSON document, one CSV table, and a time line that Chrome and Perfetto open."""

import csv
import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any, TextIO

from stetho.profiling.records import LayerCost, Measure, OpCost, Profile

FORMAT = "stetho-profile/1"
COLUMNS = (
    "kind",
    "name",
    "class",
    "phase",
    "layer",
    "calls",
    "forward",
    "forward_spread",
    "forward_total",
    "backward",
    "backward_spread",
    "backward_total",
    "optimizer",
    "own",
    "own_spread",
    "total",
    "flops",
    "flops_per_second",
    "saved_bytes",
    "allocated_bytes",
    "parameter_bytes",
    "gradient_bytes",
    "state_bytes",
)


def json_document(profile: Profile) -> dict[str, Any]:
    """The whole profile without its time line; times in seconds a step, sizes in bytes.

    >>> empty = Profile(0, Measure(), Measure(), {})
    >>> json_document(empty)["format"]
    'stetho-profile/1'
    """
    document = asdict(profile)
    del document["spans"]
    document["stacks"] = [{"stack": list(stack), "seconds": seconds} for stack, seconds in profile.stacks]
    return {"format": FORMAT, "steps_per_second": profile.steps_per_second, **document}


def write_json(profile: Profile, file: TextIO) -> None:
    """Write the document."""
    json.dump(json_document(profile), file, indent=1)
    file.write("\n")


def write_csv(profile: Profile, file: TextIO) -> None:
    """Write a row for each layer and each operation; times in seconds a step."""
    writer = csv.DictWriter(file, COLUMNS, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(_layer_row(layer) for layer in profile.layers)
    writer.writerows(_operation_row(operation) for operation in profile.ops)


def _layer_row(layer: LayerCost) -> dict[str, object]:
    return {
        "kind": "layer",
        "name": layer.name,
        "class": layer.kind,
        "calls": layer.calls,
        **_timed("forward", layer.forward),
        "forward_total": layer.forward_total.mean,
        **_timed("backward", layer.backward),
        "backward_total": layer.backward_total.mean,
        "optimizer": layer.optimizer,
        "own": layer.seconds,
        "flops": layer.forward_flops + layer.backward_flops,
        "flops_per_second": layer.flops_per_second or "",
        "saved_bytes": layer.saved,
        "allocated_bytes": layer.allocated,
        "parameter_bytes": layer.parameters,
        "gradient_bytes": layer.gradients,
        "state_bytes": layer.state,
    }


def _operation_row(operation: OpCost) -> dict[str, object]:
    return {
        "kind": "operation",
        "name": operation.name,
        "phase": operation.phase,
        "layer": operation.layer,
        "calls": operation.calls,
        **_timed("own", operation.own),
        "total": operation.total.mean,
        "flops": operation.flops,
        "flops_per_second": operation.flops_per_second or "",
    }


def _timed(name: str, measure: Measure) -> dict[str, object]:
    return {name: measure.mean, f"{name}_spread": measure.spread}


def write_trace(profile: Profile, file: TextIO) -> None:
    """Write the time line of the first recorded steps in the trace event format."""
    json.dump({"displayTimeUnit": "ms", "traceEvents": list(_trace_events(profile))}, file)
    file.write("\n")


def _trace_events(profile: Profile) -> Iterator[dict[str, object]]:
    for span in profile.spans:
        yield {
            "ph": "X",
            "pid": 1,
            "tid": span.thread,
            "name": span.name,
            "cat": span.kind,
            "ts": span.start * 1e6,
            "dur": span.seconds * 1e6,
            "args": {"step": span.step, "layer": span.layer},
        }
    for thread in sorted({span.thread for span in profile.spans}):
        yield {"ph": "M", "pid": 1, "tid": thread, "name": "thread_name", "args": {"name": f"thread {thread}"}}
