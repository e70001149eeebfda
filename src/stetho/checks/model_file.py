"""From model.json, which somebody else may have written, to plain facts; what is not as it should be is left out."""

from collections.abc import Mapping, Sequence
from typing import Any

from stetho.checks.described import Facts
from stetho.checks.facts import (
    Between,
    Edge,
    Group,
    HookPile,
    Layer,
    Load,
    Loader,
    Loss,
    LossGraph,
    Model,
    Op,
    Optimizer,
    Parameter,
    Scheduler,
)
from stetho.store import loose

Data = dict[str, Any]


def facts_of(model: Data, notes: Sequence[Mapping[str, Any]] = (), info: Mapping[str, Any] | None = None) -> Facts:
    """The facts in the documents of a run.

    >>> facts_of({"models": [{"id": 0, "label": "Net", "layers": [{"name": "fc", "class": "Linear"}]}]}).layers[0].kind
    'Linear'
    """
    models = loose.mappings(model.get("models"))
    return Facts(
        models=tuple(_model(each, place) for place, each in enumerate(models)),
        layers=tuple(_layer(each, model) for model, each in _inside(models, "layers")),
        parameters=tuple(_parameter(each, model) for model, each in _inside(models, "parameters")),
        edges=tuple(edge for place, each in enumerate(models) for edge in _edges(each, place)),
        optimizers=tuple(_optimizer(each, place) for place, each in _numbered(model, "optimizers")),
        schedulers=tuple(_scheduler(each) for _, each in _numbered(model, "schedulers")),
        loaders=tuple(_loader(each, place) for place, each in _numbered(model, "loaders")),
        losses=tuple(_loss(each) for _, each in _numbered(model, "losses")),
        loss_graphs=tuple(_loss_graph(each) for _, each in _numbered(model, "loss_graphs")),
        loads=tuple(_load(each) for _, each in _numbered(model, "loads")),
        hooks=tuple(_hook_pile(each) for _, each in _numbered(model, "hooks")),
        lines={event: _texts(lines) for event, lines in loose.mapping(model.get("lines")).items()},
        given={line: loose.texts(each) for line, each in loose.mapping(model.get("given")).items()},
        notes=tuple(notes),
        probes={name: loose.mapping(each) for name, each in loose.mapping(model.get("probes")).items()},
        info=info or {},
    )


def _numbered(model: Data, name: str) -> list[tuple[int, Data]]:
    return list(enumerate(loose.mappings(model.get(name))))


def _inside(models: list[Data], name: str) -> list[tuple[int, Data]]:
    return [(_id(model, place), each) for place, model in enumerate(models) for each in loose.mappings(model.get(name))]


def _id(data: Data, place: int) -> int:
    number = loose.whole(data.get("id"))
    return place if number is None else number


def _model(data: Data, place: int) -> Model:
    return Model(
        id=_id(data, place),
        label=_text(data, "label") or "model",
        kind=_text(data, "class"),
        is_trained=data.get("trained") is not False,
        compiled=data.get("compiled") is True,
        wrapper=_text(data, "wrapper"),
        line=_text(data, "line"),
        returns=_text(data, "returns"),
        fed=_text(data, "fed"),
        reseeded=_text(data, "reseeded"),
    )


def _layer(data: Data, model: int) -> Layer:
    return Layer(
        name=_text(data, "name") or "",
        kind=_text(data, "class") or "",
        settings=_text(data, "settings") or "",
        model=model,
        parameters=_whole(data, "parameters"),
        output=_text(data, "output"),
        constructed=_text(data, "constructed"),
        called=_text(data, "called"),
        cut=_text(data, "cut"),
        calls=_whole(data, "calls"),
        training=_truth(data, "training"),
        registered=data.get("registered") is not False,
        also=_texts(data.get("also")),
        given_twice=data.get("given_twice") is True,
        between=tuple(_between(each) for each in loose.mappings(data.get("between"))),
        begun=_whole(data, "begun"),
        carried=_whole(data, "carried"),
        rows_asked=loose.whole(data.get("rows_asked")),
        last_asked=loose.whole(data.get("last_asked")),
        highest_asked=tuple(each for each in data.get("highest_asked") or () if isinstance(each, int)),
    )


def _between(data: Data) -> Between:
    return Between(
        op=_text(data, "op") or "",
        shape=_shape(data.get("shape")) or (),
        before=_shape(data.get("before")) or (),
        dim=loose.whole(data.get("dim")),
        places=loose.number(data.get("places")),
        slope=loose.number(data.get("slope")),
        factor=loose.number(data.get("factor")),
    )


def _parameter(data: Data, model: int) -> Parameter:
    return Parameter(
        name=_text(data, "name") or "",
        shape=_shape(data.get("shape")) or (),
        count=_whole(data, "count"),
        model=model,
        dtype=_text(data, "dtype") or "",
        trainable=data.get("trainable") is True,
        optimizer=loose.whole(data.get("optimizer")),
        group=loose.whole(data.get("group")),
        shared_with=_texts(data.get("shared_with")),
        as_made=data.get("as_made") is True,
        reached=_truth(data, "reached"),
        initialised=_text(data, "initialised"),
        frozen=_text(data, "frozen"),
    )


def _edges(data: Data, place: int) -> list[Edge]:
    edges = data.get("edges")
    return [
        Edge(edge[0], edge[1], _texts(edge[2]) if len(edge) > 2 else (), _id(data, place))
        for edge in (edges if isinstance(edges, list) else [])
        if isinstance(edge, list) and len(edge) >= 2 and all(isinstance(end, str) for end in edge[:2])
    ]


def _optimizer(data: Data, place: int) -> Optimizer:
    groups = tuple(map(_group, loose.mappings(data.get("groups"))))
    return Optimizer(_id(data, place), _text(data, "class"), _text(data, "line"), groups)


def _group(data: Data) -> Group:
    names = data.get("parameters")
    held = tuple(name if isinstance(name, str) else None for name in names) if isinstance(names, list) else ()
    return Group(_rest(data, ("parameters",)), held)


def _scheduler(data: Data) -> Scheduler:
    known = ("class", "line", "steps", "made")
    return Scheduler(
        kind=_text(data, "class") or "",
        line=_text(data, "line"),
        steps=_whole(data, "steps"),
        made=loose.whole(data.get("made")),
        settings=_rest(data, known),
    )


def _loader(data: Data, place: int) -> Loader:
    return Loader(
        id=_id(data, place),
        dataset=_text(data, "dataset") or "",
        length=loose.whole(data.get("length")),
        sampler=_text(data, "sampler"),
        shuffled=_truth(data, "shuffled"),
        batch_size=loose.whole(data.get("batch_size")),
        workers=_whole(data, "workers"),
        drop_last=data.get("drop_last") is True,
        passes=_whole(data, "passes"),
        line=_text(data, "line"),
        begun=_text(data, "begun"),
        given_at=_text(data, "given_at"),
        worker_init=data.get("worker_init") is True,
        iterable=data.get("iterable") is True,
        own_random=_text(data, "own_random"),
        one_seed=data.get("one_seed") is True,
        fixed_seed=_text(data, "fixed_seed"),
    )


def _loss(data: Data) -> Loss:
    numbers = {name: loose.number(data.get(name)) for name in ("input_low", "input_high", "target_low", "target_high")}
    known = ("call", "line", "phase", "input", "target", "reduction", "ignore_index", "label_smoothing", "weight")
    weight = data.get("weight")
    return Loss(
        call=_text(data, "call") or "",
        line=_text(data, "line"),
        phase=_text(data, "phase") or "train",
        input=_text(data, "input"),
        target=_text(data, "target"),
        reduction=_text(data, "reduction"),
        ignore_index=loose.whole(data.get("ignore_index")),
        label_smoothing=loose.number(data.get("label_smoothing")),
        weight=_numbers(weight) if isinstance(weight, list) else None,
        rows_sum_to_one=_truth(data, "rows_sum_to_one"),
        settings=_rest(data, (*known, *numbers, "rows_sum_to_one", "constructed", "target_made")),
        target_made=_text(data, "target_made"),
        constructed=_text(data, "constructed"),
        **numbers,
    )


def _loss_graph(data: Data) -> LossGraph:
    return LossGraph(
        line=_text(data, "line"),
        ops=_ops(data.get("ops")),
        output_ops=_ops(data.get("output_ops")),
        output_shape=_shape(data.get("output_shape")),
        shape=_shape(data.get("shape")) or (),
        nodes=_whole(data, "nodes"),
        reached=_texts(data.get("reached")),
        value=loose.number(data.get("value")),
        made=_text(data, "made"),
        reward=loose.mapping(data.get("reward")),
        nats=_numbers(data.get("nats")),
    )


def _numbers(value: object) -> tuple[float, ...]:
    return tuple(loose.number(each) or 0.0 for each in value) if isinstance(value, list) else ()


def _ops(value: object) -> tuple[Op, ...]:
    return tuple(
        Op(
            op=_text(each, "op") or "",
            shape=_shape(each.get("shape")),
            dim=loose.whole(each.get("dim")),
            feeds=loose.whole(each.get("feeds")),
            inputs=loose.whole(each.get("inputs")),
            reads_output=_truth(each, "reads_output"),
            output_ops=_ops(each.get("output_ops")),
            negative=bool(_truth(each, "negative")),
            subtracted=bool(_truth(each, "subtracted")),
        )
        for each in loose.mappings(value)
    )


def _load(data: Data) -> Load:
    return Load(
        line=_text(data, "line"),
        model=_text(data, "model"),
        given=loose.whole(data.get("given")),
        matched=_whole(data, "matched"),
        missing=_whole(data, "missing"),
        unexpected=_whole(data, "unexpected"),
        first_missing=_texts(data.get("first_missing")),
        first_unexpected=_texts(data.get("first_unexpected")),
        step=loose.whole(data.get("step")),
        kept=loose.whole(data.get("kept")),
        kept_at=_text(data, "kept_at"),
    )


def _hook_pile(data: Data) -> HookPile:
    return HookPile(
        line=_text(data, "line"),
        call=_text(data, "call") or "",
        module=_text(data, "module"),
        count=_whole(data, "count"),
        steps=_shape(data.get("steps")) or (),
    )


def _text(data: Data, name: str) -> str | None:
    value = data.get(name)
    return value if isinstance(value, str) and value else None


def _whole(data: Data, name: str) -> int:
    return loose.whole(data.get(name)) or 0


def _truth(data: Data, name: str) -> bool | None:
    value = data.get(name)
    return value if isinstance(value, bool) else None


def _texts(value: object) -> tuple[str, ...]:
    return tuple(each for each in value if isinstance(each, str)) if isinstance(value, list) else ()


def _shape(value: object) -> tuple[int, ...] | None:
    return tuple(value) if isinstance(value, list) and all(type(each) is int for each in value) else None


def _rest(data: Data, known: Sequence[str]) -> Data:
    return {name: value for name, value in data.items() if name not in known}
