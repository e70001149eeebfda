"""From model.json, which somebody else may have written, to plain facts; what is not as it should be is left out."""

from collections.abc import Mapping, Sequence
from typing import Any

from stetho.checks.run import fields
from stetho.checks.run.described import Facts
from stetho.checks.run.facts import (
    Between,
    Edge,
    Group,
    HookPile,
    Layer,
    Load,
    Loader,
    Model,
    Optimizer,
    Parameter,
    Scheduler,
)
from stetho.checks.run.loss_file import loss_graph_of, loss_of
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
        losses=tuple(loss_of(each) for _, each in _numbered(model, "losses")),
        loss_graphs=tuple(loss_graph_of(each) for _, each in _numbered(model, "loss_graphs")),
        loads=tuple(_load(each) for _, each in _numbered(model, "loads")),
        hooks=tuple(_hook_pile(each) for _, each in _numbered(model, "hooks")),
        lines={event: fields.texts(lines) for event, lines in loose.mapping(model.get("lines")).items()},
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
        label=fields.text(data, "label") or "model",
        kind=fields.text(data, "class"),
        is_trained=data.get("trained") is not False,
        compiled=data.get("compiled") is True,
        wrapper=fields.text(data, "wrapper"),
        line=fields.text(data, "line"),
        returns=fields.text(data, "returns"),
        fed=fields.text(data, "fed"),
        ordered=fields.text(data, "ordered"),
        reseeded=fields.text(data, "reseeded"),
    )


def _layer(data: Data, model: int) -> Layer:
    return Layer(
        name=fields.text(data, "name") or "",
        kind=fields.text(data, "class") or "",
        settings=fields.text(data, "settings") or "",
        model=model,
        parameters=fields.whole(data, "parameters"),
        output=fields.text(data, "output"),
        constructed=fields.text(data, "constructed"),
        called=fields.text(data, "called"),
        cut=fields.text(data, "cut"),
        mask=fields.text(data, "mask"),
        calls=fields.whole(data, "calls"),
        training=fields.truth(data, "training"),
        registered=data.get("registered") is not False,
        also=fields.texts(data.get("also")),
        given_twice=data.get("given_twice") is True,
        between=tuple(_between(each) for each in loose.mappings(data.get("between"))),
        begun=fields.whole(data, "begun"),
        carried=fields.whole(data, "carried"),
        blank=fields.whole(data, "blank"),
        rows_asked=loose.whole(data.get("rows_asked")),
        last_asked=loose.whole(data.get("last_asked")),
        share_at_end=loose.number(data.get("share_at_end")),
        highest_asked=tuple(each for each in data.get("highest_asked") or () if isinstance(each, int)),
    )


def _between(data: Data) -> Between:
    return Between(
        op=fields.text(data, "op") or "",
        shape=fields.shape(data.get("shape")) or (),
        before=fields.shape(data.get("before")) or (),
        dim=loose.whole(data.get("dim")),
        places=loose.number(data.get("places")),
        slope=loose.number(data.get("slope")),
        factor=loose.number(data.get("factor")),
        on_real=loose.number(data.get("on_real")),
        on_padding=loose.number(data.get("on_padding")),
    )


def _parameter(data: Data, model: int) -> Parameter:
    return Parameter(
        name=fields.text(data, "name") or "",
        shape=fields.shape(data.get("shape")) or (),
        count=fields.whole(data, "count"),
        model=model,
        dtype=fields.text(data, "dtype") or "",
        trainable=data.get("trainable") is True,
        optimizer=loose.whole(data.get("optimizer")),
        group=loose.whole(data.get("group")),
        shared_with=fields.texts(data.get("shared_with")),
        as_made=data.get("as_made") is True,
        reached=fields.truth(data, "reached"),
        initialised=fields.text(data, "initialised"),
        frozen=fields.text(data, "frozen"),
    )


def _edges(data: Data, place: int) -> list[Edge]:
    edges = data.get("edges")
    return [
        Edge(edge[0], edge[1], fields.texts(edge[2]) if len(edge) > 2 else (), _id(data, place))
        for edge in (edges if isinstance(edges, list) else [])
        if isinstance(edge, list) and len(edge) >= 2 and all(isinstance(end, str) for end in edge[:2])
    ]


def _optimizer(data: Data, place: int) -> Optimizer:
    groups = tuple(map(_group, loose.mappings(data.get("groups"))))
    kind, line, remade = fields.text(data, "class"), fields.text(data, "line"), fields.whole(data, "remade")
    return Optimizer(_id(data, place), kind, line, groups, remade)


def _group(data: Data) -> Group:
    names = data.get("parameters")
    held = tuple(name if isinstance(name, str) else None for name in names) if isinstance(names, list) else ()
    return Group(fields.rest(data, ("parameters",)), held)


def _scheduler(data: Data) -> Scheduler:
    known = ("class", "line", "steps", "made")
    return Scheduler(
        kind=fields.text(data, "class") or "",
        line=fields.text(data, "line"),
        steps=fields.whole(data, "steps"),
        made=loose.whole(data.get("made")),
        settings=fields.rest(data, known),
    )


def _loader(data: Data, place: int) -> Loader:
    return Loader(
        id=_id(data, place),
        dataset=fields.text(data, "dataset") or "",
        length=loose.whole(data.get("length")),
        sampler=fields.text(data, "sampler"),
        shuffled=fields.truth(data, "shuffled"),
        batch_size=loose.whole(data.get("batch_size")),
        workers=fields.whole(data, "workers"),
        drop_last=data.get("drop_last") is True,
        passes=fields.whole(data, "passes"),
        line=fields.text(data, "line"),
        begun=fields.text(data, "begun"),
        left=fields.text(data, "left"),
        given_at=fields.text(data, "given_at"),
        worker_init=data.get("worker_init") is True,
        iterable=data.get("iterable") is True,
        own_random=fields.text(data, "own_random"),
        one_seed=data.get("one_seed") is True,
        fixed_seed=fields.text(data, "fixed_seed"),
    )


def _load(data: Data) -> Load:
    return Load(
        line=fields.text(data, "line"),
        model=fields.text(data, "model"),
        given=loose.whole(data.get("given")),
        matched=fields.whole(data, "matched"),
        missing=fields.whole(data, "missing"),
        unexpected=fields.whole(data, "unexpected"),
        first_missing=fields.texts(data.get("first_missing")),
        first_unexpected=fields.texts(data.get("first_unexpected")),
        step=loose.whole(data.get("step")),
        kept=loose.whole(data.get("kept")),
        kept_at=fields.text(data, "kept_at"),
    )


def _hook_pile(data: Data) -> HookPile:
    return HookPile(
        line=fields.text(data, "line"),
        call=fields.text(data, "call") or "",
        module=fields.text(data, "module"),
        count=fields.whole(data, "count"),
        steps=fields.shape(data.get("steps")) or (),
    )
