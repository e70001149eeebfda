"""What a run says of itself, as a window hands it out: models, layers, optimizers, data, losses, lines of code."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from statistics import median_low
from typing import Any

from stetho.checks.run.facts import (
    Edge,
    HookPile,
    Layer,
    Load,
    Loader,
    Loss,
    LossGraph,
    Model,
    Optimizer,
    Parameter,
    Scheduler,
)
from stetho.findings.finding import Where

BRING_A_RATE = ("OneCycleLR", "CyclicLR")
"""Schedules with a rate of their own, whatever the optimizer was given."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What model.json and run.json say."""

    models: tuple[Model, ...] = ()
    layers: tuple[Layer, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    edges: tuple[Edge, ...] = ()
    optimizers: tuple[Optimizer, ...] = ()
    schedulers: tuple[Scheduler, ...] = ()
    loaders: tuple[Loader, ...] = ()
    losses: tuple[Loss, ...] = ()
    loss_graphs: tuple[LossGraph, ...] = ()
    loads: tuple[Load, ...] = ()
    hooks: tuple[HookPile, ...] = ()
    lines: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    given: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    notes: tuple[Mapping[str, Any], ...] = ()
    probes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    info: Mapping[str, Any] = field(default_factory=dict)
    is_running: bool = False


class Described:
    """The facts of a run, and small questions about them.

    >>> run = Described(Facts(layers=(Layer("norm", "BatchNorm1d"),), lines={"step": ("train.py:9",)}))
    >>> run.has("BatchNorm"), run.line("step"), run.line("backward")
    (True, 'train.py:9', None)
    """

    def __init__(self, facts: Facts) -> None:
        self.facts = facts

    @property
    def models(self) -> tuple[Model, ...]:
        """All models that were seen."""
        return self.facts.models

    @property
    def layers(self) -> tuple[Layer, ...]:
        """All layers of all models, in order of registration."""
        return self.facts.layers

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """All parameters of all models."""
        return self.facts.parameters

    @property
    def edges(self) -> tuple[Edge, ...]:
        """Which layer feeds which."""
        return self.facts.edges

    @property
    def optimizers(self) -> tuple[Optimizer, ...]:
        """All optimizers, by their number."""
        return self.facts.optimizers

    @property
    def schedulers(self) -> tuple[Scheduler, ...]:
        """All learning rate schedulers."""
        return self.facts.schedulers

    @property
    def loaders(self) -> tuple[Loader, ...]:
        """All data loaders."""
        return self.facts.loaders

    @property
    def losses(self) -> tuple[Loss, ...]:
        """The calls of known loss functions, once for each place in the code."""
        return self.facts.losses

    @property
    def loss_graphs(self) -> tuple[LossGraph, ...]:
        """The graphs between loss and model, once for each line with a `backward`."""
        return self.facts.loss_graphs

    @property
    def loads(self) -> tuple[Load, ...]:
        """The calls of `load_state_dict`."""
        return self.facts.loads

    @property
    def hooks(self) -> tuple[HookPile, ...]:
        """Hooks of one line that came to one module after several steps."""
        return self.facts.hooks

    @property
    def lines(self) -> Mapping[str, tuple[str, ...]]:
        """The lines of the loop by event: `window.lines.get("backward")`."""
        return self.facts.lines

    @property
    def notes(self) -> tuple[Mapping[str, Any], ...]:
        """What capture could not see, and what happened."""
        return self.facts.notes

    @property
    def probes(self) -> Mapping[str, Mapping[str, Any]]:
        """Results of experiments by name."""
        return self.facts.probes

    @property
    def info(self) -> Mapping[str, Any]:
        """The content of run.json."""
        return self.facts.info

    @property
    def is_running(self) -> bool:
        """Whether the program has not ended yet, so that more steps will come."""
        return self.facts.is_running

    def is_trained(self, model: int) -> bool:
        """Whether an optimizer holds parameters of a model."""
        return any(each.id == model and each.is_trained for each in self.models)

    def has(self, *kinds: str) -> bool:
        """Whether there is a layer whose class begins with one of these names."""
        return any(layer.is_kind(*kinds) for layer in self.layers)

    def layer(self, name: str, model: int | None = None) -> Layer | None:
        """The layer of that name."""
        return next((each for each in self.layers if each.name == name and model in (None, each.model)), None)

    def line(self, event: str) -> str | None:
        """The first line where an event of the loop was seen: backward, step, zero_grad, scheduler, clip …"""
        return next(iter(self.lines.get(event, ())), None)

    def given(self, line: str | None, argument: str, value: float | None = None) -> str | None:
        """Where the value is written that the program gives to an argument at a line: a constant, a setting above it.

        Of several things that are made at one line, the one with that `value` is meant.

        >>> run = Described(Facts(given={"train.py:9": {"lr": "train.py:2", "p=0.9": "train.py:3"}}))
        >>> run.given("train.py:9", "lr"), run.given("train.py:9", "p", 0.9), run.given("train.py:9", "p", 0.1)
        ('train.py:2', 'train.py:3', 'train.py:9')
        """
        return self.facts.given.get(line or "", {}).get(argument if value is None else f"{argument}={value:g}", line)

    def use_line(self, layer: Layer) -> str | None:
        """Where the `forward` of the program calls a layer; of one in a container, where it is made."""
        holder = self.layer(layer.name.rpartition(".")[0], layer.model)
        # A container of the framework is called at the same line as what it holds; a list of layers is never called.
        is_inside = holder is not None and layer.called != holder.called
        return layer.called if layer.called and is_inside else layer.line

    def choice_line(self, layer: Layer) -> str | None:
        """Where it is decided that a layer is applied: where its class is named, or the call of one that is used often.

        >>> act = Layer("act", "ReLU", constructed="net.py:4", called="net.py:9", calls=6)
        >>> Described(Facts(layers=(Layer("", "Net"), act, Layer("out", "Linear")))).choice_line(act)
        'net.py:9'
        """
        usual = [each.calls for each in self.layers if each.model == layer.model and each.calls and each.name]
        is_shared = bool(usual) and layer.calls >= 2 * median_low(usual)
        return self.use_line(layer) if is_shared else self.given(layer.line, "class")

    def width_line(self, layer: Layer | None) -> str | None:
        """Where the width of a layer's output is written."""
        if layer is None:
            return None
        width = layer.number("out_features") or layer.number("1")
        widths = (self.given(layer.line, name, width) for name in ("out_features", "out_channels", "hidden_size"))
        return next((at for at in widths if at != layer.line), layer.line)

    def rate_line(self) -> str | None:
        """Where the learning rate is written, or else where the step is made."""
        for scheduler in self.schedulers:
            if scheduler.kind in BRING_A_RATE:
                return self.given(scheduler.line, "max_lr")
        return self.given(self.optimizers[0].line, "lr") if self.optimizers else self.line("step")

    def loss_line(self) -> str | None:
        """Where the loss is computed, or else where it goes backward."""
        return next((graph.place for graph in self.loss_graphs), None) or self.line("backward")

    def end_line(self, activation: str, model: int = 0) -> str | None:
        """Where a model applies the function that its output ends in, or else where it gives its output back.

        >>> given = {"net.py:9": {"ends in relu": "net.py:8"}}
        >>> Described(Facts(models=(Model(0, "Net", returns="net.py:9"),), given=given)).end_line("Relu")
        'net.py:8'
        """
        return self.given(self.returns(model), f"ends in {activation.lower()}")

    def returns(self, model: int = 0) -> str | None:
        """Where the `forward` of a model gives its output back."""
        return next((each.returns for each in self.models if each.id == model), None)

    def at(self, line: str | None = None, *, layer: Layer | None = None, parameter: Parameter | None = None) -> Where:
        """A place; without a line, that of the layer, or of the layer that holds the parameter."""
        if layer is None and parameter is not None:
            layer = self.layer(parameter.layer, parameter.model)
        is_bare = parameter is not None and not parameter.layer
        place = line or (parameter.initialised if parameter is not None and is_bare else None)
        place = place or (layer.line if layer is not None else None)
        return Where.at_line(
            place, layer=layer.name if layer else None, parameter=parameter.name if parameter else None
        )
