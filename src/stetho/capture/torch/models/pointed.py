"""For lines that findings name: the line before it, by what it gives, that the program's text points at."""

from collections.abc import Iterator, Mapping
from typing import Any

from stetho.capture.text.activations import FUNCTIONS as ACTIVATIONS
from stetho.capture.text.activations import activation_at
from stetho.capture.text.asked import asked_at
from stetho.capture.text.begun import state_made_at
from stetho.capture.text.chosen import chosen_at
from stetho.capture.text.compared import compared_at
from stetho.capture.text.duplicated import duplicated_at
from stetho.capture.text.factors import divisor_at, factor_at
from stetho.capture.text.fed import loaded_at
from stetho.capture.text.later import is_later
from stetho.capture.text.modules import files_of_program
from stetho.capture.text.out_of_proportion import out_of_proportion_at
from stetho.capture.text.renamed import renamed_at
from stetho.capture.text.shifts import shifted_at
from stetho.capture.text.softmaxes import softmax_at
from stetho.capture.text.transformed import transformed_at
from stetho.capture.text.untied import untied_at
from stetho.capture.text.used import argument_used_at
from stetho.capture.text.viewed import viewed_at
from stetho.capture.text.wanted import wanted_at
from stetho.capture.text.weighed import weighed_at
from stetho.capture.torch.models.pointed_in_loop import in_loop
from stetho.capture.torch.models.telling import Pointed, told

VIEWS = frozenset(("View", "UnsafeView", "Reshape", "ReshapeAlias"))
SQUASHING = ("Sigmoid", "Tanh", "Softsign", "Hardtanh", "Hardsigmoid", "ReLU")
RECURRENT = ("RNN", "LSTM", "GRU")
CLASSES = {"cross_entropy": "CrossEntropyLoss", "nll_loss": "NLLLoss", "binary_cross_entropy_with_logits": ""}
MOST_PLACES = 256
MOST_OPTIMIZERS = 4
MOST_TABLES = 8


def pointed_at(model: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """Line → what it is given → the line where that is made, where the text tells of another one.

    >>> pointed_at({"loads": [{"line": "no such file.py:3"}]})
    {}
    """
    found: dict[str, dict[str, str]] = {}
    for line, what, made in _places(model):
        if line is not None and made not in (None, line):
            found.setdefault(line, {})[what] = str(made)
    return found


def _places(model: Mapping[str, Any]) -> Iterator[Pointed]:
    yield from in_loop(model)
    for load in model.get("loads", ()):
        yield load.get("line"), "state_dict", told(renamed_at, load.get("line"))
    for loss in model.get("losses", ()):
        yield from _of_loss(loss)
    for graph in model.get("loss_graphs", ()):
        place = graph.get("made") or graph.get("line")
        yield graph.get("line"), "rows", told(_duplicated, str(graph.get("line")).rpartition(":")[0])
        yield place, "softmax over samples", told(softmax_at, place, True)
        yield place, "softmax", told(softmax_at, place)
        yield place, "shapes", told(compared_at, graph.get("made"), str(graph.get("line")))
        yield place, "term", told(out_of_proportion_at, str(place).rpartition(":")[0]) if graph.get("nats") else None
    for schedule in model.get("schedulers", ()):
        yield schedule.get("line"), "divisor", told(divisor_at, schedule.get("line"))
    for loader in model.get("loaders", ()):
        yield loader.get("line"), "dataset", told(loaded_at, loader.get("line"), loader.get("shuffled"))
        yield loader.get("line"), "transform", told(transformed_at, loader.get("line"))
    optimizers = [each["line"] for each in model.get("optimizers", ()) if each.get("line")]
    for each in model.get("models", ()):
        yield from _in_model(each)
        yield from _made_later(each, optimizers)
        yield from _begun_equal(each)


def _made_later(model: Mapping[str, Any], optimizers: list[str]) -> Iterator[Pointed]:
    """Layers that no optimizer holds, if they are made after it."""
    unheld = {p["name"].rpartition(".")[0] for p in model.get("parameters", ()) if p.get("optimizer") is None}
    made = {layer["name"]: layer.get("constructed") for layer in model.get("layers", ()) if layer["name"] in unheld}
    for name, line in list(made.items())[:MOST_PLACES]:
        for optimizer in optimizers[:MOST_OPTIMIZERS]:
            yield optimizer, f"after {name}", line if told(_if_later, line, optimizer) else None


def _begun_equal(model: Mapping[str, Any]) -> Iterator[Pointed]:
    """Layers that are given a copy of the weights of an embedding."""
    layers = {layer["name"]: layer for layer in model.get("layers", ())}
    tables = [
        (p["name"].rpartition(".")[0], p["shape"])
        for p in model.get("parameters", ())
        if len(p.get("shape") or ()) == 2
    ]
    embeddings = [table for table in tables if str(layers.get(table[0], {}).get("class")).startswith("Embedding")]
    for name, shape in embeddings[:MOST_TABLES]:
        for other in [each for each, its in tables if its == shape and each != name and each in layers][:MOST_TABLES]:
            made = layers[other].get("constructed")
            yield made, f"copy of {name}", told(_copied, made, name, other)


def _duplicated(file: str) -> str | None:
    return next((line for each in files_of_program([file]) if (line := duplicated_at(each)) is not None), None)


def _copied(line: str, one: str, other: str) -> str | None:
    return untied_at(line.rpartition(":")[0], one, other)


def _if_later(line: str, optimizer: str) -> str | None:
    return line if is_later(line, optimizer) else None


def _of_loss(loss: Mapping[str, Any]) -> Iterator[Pointed]:
    line, made = loss.get("line"), loss.get("constructed")
    for name, position in (("weight", 0 if made else None), ("pos_weight", None)):
        if loss.get(name) is not None:
            callee = CLASSES.get(str(loss.get("call")), "")
            yield made or line, name, told(weighed_at, made or line, name, callee, position)
    yield line, "view", told(viewed_at, line)
    yield line, "shift", told(shifted_at, line)
    yield line, "targets", told(wanted_at, line) if loss.get("target_is_input") == 1 else None


def _in_model(model: Mapping[str, Any]) -> Iterator[Pointed]:
    for name in ACTIVATIONS:
        yield model.get("returns"), f"ends in {name}", told(activation_at, model.get("returns"), name)
    for number in (1, 2):
        yield model.get("returns"), f"argument {number}", told(argument_used_at, model.get("returns"), number)
    seen = {target for _, target, ops in model.get("edges", ()) if VIEWS & set(ops)}
    for layer in model.get("layers", ())[:MOST_PLACES]:
        called, made, kind = layer.get("called"), layer.get("constructed"), layer["class"]
        if layer["name"] in seen or any(one.get("op") == "View" for one in layer.get("between", ())):
            yield called, "view", told(viewed_at, called)
        if called is not None and layer["name"]:
            yield called, "factor", told(factor_at, called)
        if kind.startswith(RECURRENT):
            yield called, "state", told(state_made_at, called)
        if kind.startswith("Embedding"):
            yield called, f"indices of {layer['name']}", told(asked_at, called, layer["name"])
        if any(one.get("op") == "Softmax" for one in layer.get("between", ())):
            yield called, "softmax", told(softmax_at, called)
            yield called, "softmax over samples", told(softmax_at, called, True)
        if kind.startswith(SQUASHING):
            yield made, "class", told(chosen_at, made, kind)
