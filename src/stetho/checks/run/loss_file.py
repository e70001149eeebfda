"""From model.json to the facts about losses; what is not as it should be is left out."""

from typing import Any

from stetho.checks.run import fields
from stetho.checks.run.loss_facts import Loss, LossGraph, Op
from stetho.store import loose

Data = dict[str, Any]


def loss_of(data: Data) -> Loss:
    """A call of a loss function.

    >>> loss_of({"call": "mse_loss", "input_low": 0}).input_low
    0.0
    """
    numbers = {name: loose.number(data.get(name)) for name in ("input_low", "input_high", "target_low", "target_high")}
    known = ("call", "line", "phase", "input", "target", "reduction", "ignore_index", "label_smoothing", "weight")
    weight = data.get("weight")
    return Loss(
        call=fields.text(data, "call") or "",
        line=fields.text(data, "line"),
        phase=fields.text(data, "phase") or "train",
        input=fields.text(data, "input"),
        target=fields.text(data, "target"),
        reduction=fields.text(data, "reduction"),
        ignore_index=loose.whole(data.get("ignore_index")),
        label_smoothing=loose.number(data.get("label_smoothing")),
        weight=fields.numbers(weight) if isinstance(weight, list) else None,
        rows_sum_to_one=fields.truth(data, "rows_sum_to_one"),
        settings=fields.rest(data, (*known, *numbers, "rows_sum_to_one", "constructed", "target_made")),
        target_made=fields.text(data, "target_made"),
        constructed=fields.text(data, "constructed"),
        **numbers,
    )


def loss_graph_of(data: Data) -> LossGraph:
    """The graph of a loss.

    >>> loss_graph_of({"ops": [{"op": "Mean", "shape": []}]}).ops[0].op
    'Mean'
    """
    return LossGraph(
        line=fields.text(data, "line"),
        ops=_ops(data.get("ops")),
        output_ops=_ops(data.get("output_ops")),
        output_shape=fields.shape(data.get("output_shape")),
        shape=fields.shape(data.get("shape")) or (),
        nodes=fields.whole(data, "nodes"),
        reached=fields.texts(data.get("reached")),
        value=loose.number(data.get("value")),
        made=fields.text(data, "made"),
        reward=loose.mapping(data.get("reward")),
        quantile=loose.mapping(data.get("quantile")),
        nats=fields.numbers(data.get("nats")),
    )


def _ops(value: object) -> tuple[Op, ...]:
    return tuple(
        Op(
            op=fields.text(each, "op") or "",
            shape=fields.shape(each.get("shape")),
            dim=loose.whole(each.get("dim")),
            feeds=loose.whole(each.get("feeds")),
            inputs=loose.whole(each.get("inputs")),
            reads_output=fields.truth(each, "reads_output"),
            output_ops=_ops(each.get("output_ops")),
            negative=bool(fields.truth(each, "negative")),
            subtracted=bool(fields.truth(each, "subtracted")),
        )
        for each in loose.mappings(value)
    )
