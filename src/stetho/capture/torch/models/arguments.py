"""For each place where the program makes an optimizer, a layer or a loader: where the numbers it gives are written."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from stetho.capture.text.given import given_at, keeps_at
from stetho.capture.text.handed_on import handed_on_at
from stetho.capture.torch.models.telling import told

Arguments = Mapping[str, int | None]
"""Names of arguments, with their position where they are often given without a name."""

Place = tuple[str, str, Arguments, str]
"""A line, what is called there, which of its arguments are asked for, and what the made thing says of itself."""

OPTIMIZER: Arguments = {"lr": 1, "weight_decay": None, "momentum": None, "betas": None}
SCHEDULER: Arguments = {"gamma": None, "step_size": 1, "T_max": 1, "max_lr": 1}
LOADER: Arguments = {"batch_size": 1, "shuffle": 2}
LOSS: Arguments = {"weight": 0, "pos_weight": None, "ignore_index": None}
CLIPS: Mapping[str, Arguments] = {"clip_grad_norm_": {"max_norm": 1}, "clip_grad_value_": {"clip_value": 1}}
LAYERS: Mapping[str, Arguments] = {
    "Dropout": {"p": 0},
    "BatchNorm": {"momentum": 2},
    "Linear": {"out_features": 1},
    "Conv": {"out_channels": 1},
    "GRU": {"hidden_size": 1},
    "LSTM": {"hidden_size": 1},
    "RNN": {"hidden_size": 1},
}


def arguments_of(model: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """Line → argument → the line where its value is written, where that is another one.

    >>> arguments_of({"optimizers": [{"class": "SGD", "line": "no such file.py:3"}]})
    {}
    """
    found: dict[str, dict[str, str]] = {}
    for line, callee, arguments, settings in _places(model):
        for name, position in arguments.items():
            value = _number(settings, name, position)
            written = given_at(line, name, callee=callee, position=position, value=value)
            if written not in (None, line) and not (name == "p" and keeps_at(line)):
                # Several layers may be made at one line, and each says its own number.
                key = name if value is None else f"{name}={value:g}"
                found.setdefault(line, {})[key] = str(written)
    for line, key, written in _handed_on(model):
        found.setdefault(line, {}).setdefault(key, written)
    return found


def _handed_on(model: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """For layers that a block makes with numbers of its own: where the one that this block got is written."""
    for layers in (each["layers"] for each in model.get("models", ())):
        by_name = {layer.get("name", ""): layer for layer in layers}
        for layer in layers:
            line, block = layer.get("constructed"), by_name.get(layer.get("name", "").rpartition(".")[0], {})
            arguments = next((each for kind, each in LAYERS.items() if layer["class"].startswith(kind)), {})
            for name, position in arguments.items() if line and block.get("constructed") not in (None, line) else ():
                value = _number(str(layer.get("settings") or ""), name, position)
                written = told(handed_on_at, line, block["constructed"], block["class"], layer["class"], name, position)
                if value is not None and written is not None:
                    yield line, f"{name}={value:g}", written


def _places(model: Mapping[str, Any]) -> Iterator[Place]:
    yield from _made(model.get("optimizers", ()), "line", OPTIMIZER)
    yield from _made(model.get("schedulers", ()), "line", SCHEDULER)
    yield from _made(({"class": "DataLoader"} | each for each in model.get("loaders", ())), "line", LOADER)
    for layer in (layer for each in model.get("models", ()) for layer in each["layers"]):
        for kind, arguments in LAYERS.items():
            yield from _made([layer] if layer["class"].startswith(kind) else (), "constructed", arguments)
    for loss in model.get("losses", ()):
        yield from _made([{"class": str(loss.get("call"))} | loss], "constructed", LOSS)
    for call, arguments in CLIPS.items():
        yield from ((line, call, arguments, "") for line in model.get("lines", {}).get("clip", ()))


def _made(things: Iterable[Mapping[str, Any]], place: str, arguments: Arguments) -> Iterator[Place]:
    for each in things:
        if each.get(place):
            settings = each.get("settings")
            yield each[place], each.get("class") or "", arguments, settings if isinstance(settings, str) else ""


def _number(settings: str, name: str, position: int | None) -> float | None:
    """What a layer says of an argument: by its name, or by its place as in "16, 32, kernel_size=(3, 3)"."""
    words = settings.split(", ")
    named = [word.partition("=")[2] for word in words if word.startswith(f"{name}=")]
    bare = words[position : position + 1] if position is not None else []
    for word in (*named, *bare):
        try:
            return float(word)
        except ValueError:
            continue
    return None
