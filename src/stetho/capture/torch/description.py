"""What model.json says: models, optimizers, loaders, losses and the lines of the loop."""

from collections.abc import Callable, Iterable
from inspect import getattr_static

from torch import Tensor
from torch.nn import Module

from stetho.capture.lines import Lines
from stetho.capture.source import is_user_code
from stetho.capture.text.assignments import input_made_at, loss_made_at, returned_at, variable_made_at
from stetho.capture.text.backwards import left_backwards_at
from stetho.capture.text.copied import copied_from
from stetho.capture.text.decays import decay_at
from stetho.capture.text.discarded import discarded_at
from stetho.capture.text.drawn_alike import drawn_alike_at
from stetho.capture.text.drawn_targets import target_drawn_at
from stetho.capture.text.frozen import frozen_at
from stetho.capture.text.looked_up import looked_up_at
from stetho.capture.text.mapped import mapped_at
from stetho.capture.text.modules import files_of_program
from stetho.capture.text.order import order_made_at, rounds_written_at
from stetho.capture.text.quantiles import quantile_at
from stetho.capture.text.renewed import renewed_at
from stetho.capture.text.reordered import reordered_at, shuffled_apart_at
from stetho.capture.text.reseeded import reseeded_at
from stetho.capture.text.resets import reset_at
from stetho.capture.text.rewards import reward_at
from stetho.capture.text.rewrapped import rewrapped_at
from stetho.capture.text.row_numbers import row_numbers_at
from stetho.capture.text.sentinels import sentinel_at
from stetho.capture.text.squashed import squashed_at
from stetho.capture.text.whole import made_whole_at, whole_at
from stetho.capture.torch.feed.loaders import Loaders
from stetho.capture.torch.losses.loss_graph import LossGraphs
from stetho.capture.torch.losses.losses import Losses
from stetho.capture.torch.models.ancestry import Ancestry
from stetho.capture.torch.models.arguments import arguments_of
from stetho.capture.torch.models.cut_off import cuts_of, masks_of
from stetho.capture.torch.models.models import Layer, Model, Models
from stetho.capture.torch.models.parameter_facts import parameter_facts
from stetho.capture.torch.models.pointed import pointed_at
from stetho.capture.torch.models.telling import told
from stetho.capture.torch.models.without_history import drawn_before
from stetho.capture.torch.updates.loop import Loop
from stetho.capture.torch.updates.optimizers import Optimizers
from stetho.records import SourceLine

OF_LOSSES = {"made": loss_made_at, "reward": reward_at, "quantile": quantile_at}
"""What the text says of the line that a backward pass begins at."""
OF_FILES: dict[str, Callable[[str], str | None]] = {
    "reordered": reordered_at,
    "shuffled apart": shuffled_apart_at,
    "left backwards": left_backwards_at,
    "whole numbers": whole_at,
    "made whole": made_whole_at,
    "sentinel": sentinel_at,
    "row numbers": row_numbers_at,
    "looked up": looked_up_at,
    "decay": decay_at,
    "discarded": discarded_at,
    "drawn alike": drawn_alike_at,
    "mapped": mapped_at,
    "squashed": squashed_at,
}
"""What it says of a file of the program."""


class Description:
    """Puts model.json together from the parts that know."""

    def __init__(
        self,
        ancestry: Ancestry,
        models: Models,
        optimizers: Optimizers,
        loaders: Loaders,
        losses: Losses,
        loss_graphs: LossGraphs,
        loop: Loop,
        lines: Lines,
    ) -> None:
        self._ancestry = ancestry
        self._models = models
        self._optimizers = optimizers
        self._loaders = loaders
        self._losses = losses
        self._loss_graphs = loss_graphs
        self._loop = loop
        self._lines = lines
        self._last: dict[int, dict[str, object]] = {}

    def current(self) -> dict[str, object]:
        """The whole of it, as of now."""
        holders = self._optimizers.holders()
        self._models.count_calls()
        facts: dict[str, object] = {
            "models": [self._model(model, holders) for model in self._models.all],
            "optimizers": self._optimizers.facts(),
            "schedulers": self._loop.facts(),
            "loaders": self._loaders.facts(),
            "losses": self._losses.facts(self._ancestry.line),
            "loss_graphs": [
                (self._loss_graphs.facts(line) or {}) | {what: told(reader, line) for what, reader in OF_LOSSES.items()}
                for line in self._loss_graphs.seen
            ],
            "loads": self._loop.loads.all,
            "hooks": self._loop.hooks.facts(),
            "lines": self._lines.found | self._read_in_the_text(),
        }
        given, pointed = told(arguments_of, facts) or {}, told(pointed_at, facts) or {}
        return facts | {"given": given | {line: given.get(line, {}) | each for line, each in pointed.items()}}

    def _read_in_the_text(self) -> dict[str, list[str]]:
        """Where what is evaluated is made, parameters are set anew, codes drawn, rounds counted, rows put in order."""
        steps = self._lines.found.get("step", [])
        files = files_of_program(sorted({line.rpartition(":")[0] for line in (*steps, *self._loss_graphs.seen)}))
        found: dict[str, list[str | None]] = {
            "evaluation data": [told(input_made_at, line) for line in self._lines.found.get("evaluation", [])],
            "reset": [told(reset_at, line) for line in steps],
            "rounds": [told(rounds_written_at, line) for line in steps],
            "drawn": [*drawn_before(self._models.all)],
            "rewrapped": [told(rewrapped_at, line) for line in self._lines.found.get("backward", [])],
            "target drawn": [told(target_drawn_at, line) for line in self._lines.found.get("backward", [])],
            "renewed": [line for file in files for line in told(renewed_at, file) or ()],
            **{what: [told(reader, file) for file in files] for what, reader in OF_FILES.items()},
        }
        return {event: known for event, lines in found.items() if (known := [line for line in lines if line])}

    def _made(self, parameter: dict[str, object]) -> str | None:
        """Where a parameter that no module holds becomes what the line of its optimizer knows by its name."""
        number = parameter.get("optimizer")
        line = self._optimizers.line(number) if isinstance(number, int) else None
        return told(variable_made_at, line, str(parameter["name"]))

    def _model(self, model: Model, holders: dict[int, tuple[int, int]]) -> dict[str, object]:
        top = model.ref()
        if top is None and model.id in self._last:
            # The function that made it has returned; what it was stays true.
            return self._last[model.id]
        self._models.refresh(model)
        line = self._ancestry.line(top) if top is not None else None
        set_at = self._ancestry.set_at
        alive = [weight for weight in model.weights.values() if weight.ref() is not None]
        parameters = [parameter_facts(weight, holders, set_at) for weight in alive]
        layers = {
            layer.name: layer for layer in model.layers.values() if layer.ref() is not None or not layer.registered
        }
        files = _files([line, *(layer.called for layer in layers.values())])
        for each in parameters:
            each["initialised"] = each.get("initialised") or (None if model.layers else self._made(each))
            each["frozen"] = told(frozen_at, files, str(each["name"])) if each.get("trainable") is False else None
        called = str(layers[""].called) if "" in layers and layers[""].called is not None else None
        cuts, masks = told(cuts_of, model) or {}, told(masks_of, model) or {}
        self._last[model.id] = {
            "id": model.id,
            "label": model.label,
            "class": type(top).__name__ if top is not None else None,
            "trained": any(facts.get("optimizer") is not None for facts in parameters),
            "compiled": model.compiled,
            "wrapper": model.wrapper,
            "line": str(line) if line is not None else None,
            "returns": told(returned_at, type(top).forward) if top is not None and _is_users(top) else None,
            "fed": told(input_made_at, called),
            "ordered": told(order_made_at, called),
            "reseeded": told(reseeded_at, called),
            "layers": _with_lines_of_holders(
                self._layer(layer) | {"cut": cuts.get(layer.name), "mask": masks.get(layer.name)}
                for layer in layers.values()
            ),
            "parameters": parameters,
            "edges": [[before, after, ops] for (before, after), ops in sorted(model.edges.items())],
        }
        return self._last[model.id]

    def _layer(self, layer: Layer) -> dict[str, object]:
        module = layer.ref()
        line = self._ancestry.line(module) if module is not None else layer.constructed
        own = layer.own_parameters
        if module is not None:
            own = sum(p.numel() for p in module.parameters(recurse=False) if not _lazy(p))
        return {
            "name": layer.name,
            "class": layer.kind,
            "settings": _settings(module),
            "training": module.training if module is not None else None,
            "registered": layer.registered,
            "also": layer.also,
            "given_twice": layer.given_twice,
            "parameters": own,
            "output": layer.output,
            "constructed": str(line) if line is not None else None,
            "called": str(layer.called) if layer.called is not None else None,
            "calls": layer.calls,
            "between": layer.between,
            "begun": layer.begun,
            "carried": layer.carried,
            "blank": layer.blank,
            "rows_asked": int(layer.rows_asked.sum()) if layer.rows_asked is not None else None,
            "last_asked": int(layer.rows_asked.nonzero().max()) if layer.rows_asked is not None else None,
            "share_at_end": _share(layer.at_end) if layer.at_end is not None else None,
            "highest_asked": layer.highest_asked.tolist() if layer.highest_asked is not None else None,
        }


def _with_lines_of_holders(layers: Iterable[dict[str, object]]) -> list[dict[str, object]]:
    """A copy was constructed nowhere: its original has a line, or what holds it, as for the layers of a transformer."""
    known: dict[str, object] = {}
    found = list(layers)
    for layer in found:
        name = str(layer["name"])
        if layer["constructed"] is not None and "." in name:
            line = str(layer["constructed"])
            layer["constructed"] = told(copied_from, line, str(layer["class"])) or line
        if layer["constructed"] is None and layer["registered"] and "." in name:
            layer["constructed"] = known.get(name.rpartition(".")[0])
        known[name] = layer["constructed"]
    return found


def _is_users(module: Module) -> bool:
    # A scripted class answers to an ordinary look with an error.
    code = getattr(getattr_static(type(module), "forward", None), "__code__", None)
    return code is not None and is_user_code(code)


def _files(lines: Iterable[SourceLine | None]) -> tuple[str, ...]:
    """The files of the program that some lines are in."""
    return tuple(sorted({line.file for line in lines if line is not None}))


def _settings(module: Module | None) -> str:
    """What a module says of itself; somebody else's code, so it may fail."""
    try:
        text = module.extra_repr() if module is not None else ""
        if getattr(module, "mode", None) == "RNN_RELU":
            text = f"{text}, nonlinearity=relu"
        batch_first = getattr(module, "batch_first", None)
        # Recurrent layers say it only when it is true, attention never.
        is_unsaid = isinstance(batch_first, bool) and "batch_first" not in text
        return f"{text}, batch_first={batch_first}".removeprefix(", ") if is_unsaid else text
    except Exception:
        return ""


def _lazy(parameter: object) -> bool:
    return hasattr(parameter, "materialize")


def _share(counts: Tensor) -> float:
    part, whole = counts.tolist()
    return float(part / max(whole, 1))
