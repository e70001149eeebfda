"""What a run says of its models, optimizers, data and losses: plain frozen data, with defaults for what is not known.

A line is a text "file:line" of the user's own code. What an older run did not record is None or empty.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from stetho.checks.run.loss_facts import Loss, LossGraph, Op
from stetho.checks.run.tensor_text import number_in, settings_of, shape_of

__all__ = ["Between", "Edge", "Group", "HookPile", "Layer", "Load", "Loader", "Loss", "LossGraph", "Model", "Op",
           "Optimizer", "Parameter", "Scheduler"]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Model:
    """One model of the program.

    >>> Model(0, "Net").is_trained
    True
    """

    id: int
    label: str
    kind: str | None = None
    is_trained: bool = True
    compiled: bool = False
    wrapper: str | None = None
    line: str | None = None
    returns: str | None = None
    """Where its `forward` gives back the output."""
    fed: str | None = None
    """Where the program makes what it gives to the model."""
    ordered: str | None = None
    """Where it is said which samples come when, if they are taken from an array by hand."""
    reseeded: str | None = None
    """Where random numbers for it are seeded alike for each batch."""


@dataclass(frozen=True, slots=True)
class Between:
    """An operation before a layer in the first pass, with what it did.

    A view that exchanges axes has the shape `before`; a softmax lies on so many `places` along `dim`; a sigmoid or tanh
    has a mean `slope`, of 1 at most, and a ReLU that gives only zeros the slope 0; a small number multiplies by a
    `factor`. Of rows that are filled up, the shares of a softmax `on_real` places and `on_padding` are known.
    """

    op: str
    shape: tuple[int, ...] = ()
    before: tuple[int, ...] = ()
    dim: int | None = None
    places: float | None = None
    slope: float | None = None
    factor: float | None = None
    on_real: float | None = None
    on_padding: float | None = None


@dataclass(frozen=True, slots=True)
class Layer:
    """A module, by its dotted name; `kind` is its class, `settings` what it says of itself.

    `also` are further names under which the same module is registered; one that is `given_twice` was called under
    several of them with the same tensor in one pass. Of a recurrent layer, `begun` counts the training steps whose
    first state is known, `carried` those in which that is the last state of the step before, `blank` those in which
    there is none or only zeros. Of an embedding, `rows_asked` counts the rows that the first passes looked up,
    `last_asked` is the last of them, `share_at_end` how often it was the last row of all, and `highest_asked` are the
    highest in each column of the indices.

    >>> layer = Layer("norm", "BatchNorm1d", "8, eps=1e-05, momentum=0.1, affine=True")
    >>> layer.number("momentum"), layer.number("0"), layer.is_kind("BatchNorm"), layer.is_kind("Dropout", "Linear")
    (0.1, 8.0, True, False)
    """

    name: str
    kind: str
    settings: str = ""
    model: int = 0
    parameters: int = 0
    output: str | None = None
    constructed: str | None = None
    called: str | None = None
    cut: str | None = None
    """Where the graph is cut behind it, if it gets no gradient, or none through what it gave a moment before."""
    mask: str | None = None
    """Where the mask is made, if the attention before it sees nothing but padding."""
    calls: int = 1
    training: bool | None = None
    registered: bool = True
    also: tuple[str, ...] = ()
    given_twice: bool = False
    between: tuple[Between, ...] = ()
    begun: int = 0
    carried: int = 0
    blank: int = 0
    rows_asked: int | None = None
    last_asked: int | None = None
    share_at_end: float | None = None
    highest_asked: tuple[int, ...] = ()

    def is_kind(self, *starts: str) -> bool:
        """Whether the name of its class begins with one of these."""
        return self.kind.startswith(starts)

    def setting(self, name: str) -> str | None:
        """One of its settings as it is written; those without a name are "0", "1", …"""
        return settings_of(self.settings).get(name)

    def number(self, name: str) -> float | None:
        """One of its settings as a number."""
        return number_in(self.setting(name))

    @property
    def output_shape(self) -> tuple[int, ...] | None:
        """The shape of its last output."""
        return shape_of(self.output)

    @property
    def line(self) -> str | None:
        """Where it is constructed, or else called."""
        return self.constructed or self.called


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a model; `optimizer` and `group` are those that hold it, `initialised` where its values were set.

    One that needs no gradient may still be `as_made`: as its layer initialised it. One that is `reached` is at the end
    of the graph of a loss.

    >>> Parameter("encoder.fc.weight", (8, 4), 32).layer
    'encoder.fc'
    """

    name: str
    shape: tuple[int, ...] = ()
    count: int = 0
    model: int = 0
    dtype: str = "float32"
    trainable: bool = True
    optimizer: int | None = 0
    group: int | None = 0
    shared_with: tuple[str, ...] = ()
    as_made: bool = False
    reached: bool | None = None
    initialised: str | None = None
    frozen: str | None = None
    """Where the program says that it needs no gradient."""

    @property
    def layer(self) -> str:
        """The name of the layer that holds it."""
        return self.name.rpartition(".")[0]


@dataclass(frozen=True, slots=True)
class Group:
    """A parameter group: its settings (`lr`, `betas`, `weight_decay`, …) and the names of its parameters.

    >>> Group({"lr": 0.1, "betas": [0.9, 0.999]}, ("fc.weight",)).number("lr")
    0.1
    """

    settings: Mapping[str, Any] = field(default_factory=dict)
    parameters: tuple[str | None, ...] = ()

    def number(self, name: str) -> float | None:
        """A setting as a number."""
        value = self.settings.get(name)
        return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


@dataclass(frozen=True, slots=True)
class Optimizer:
    """An optimizer, by the number that `steps["optimizer"]` names.

    >>> Optimizer(0, "Adam", groups=(Group({"lr": 0.1}),)).number("lr")
    0.1
    """

    id: int
    kind: str | None
    line: str | None = None
    groups: tuple[Group, ...] = ()
    remade: int = 0
    """How often it was made anew, of the same parameters, after few steps."""

    def number(self, name: str) -> float | None:
        """A setting of the first group as a number."""
        return self.groups[0].number(name) if self.groups else None


@dataclass(frozen=True, slots=True)
class Scheduler:
    """A learning rate scheduler: where it was made, and how often it was stepped."""

    kind: str
    line: str | None = None
    steps: int = 0
    made: int | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Loader:
    """A data loader; `passes` is how often it was begun, `shuffled` is None when its sampler is not a known one.

    `line` is where it is made, `begun` where it is gone through, `left` where that ends before all is seen, `given_at`
    where the data set gives back a sample. `own_random` names a random generator that the data set keeps and draws
    samples with; `one_seed` says that its `worker_init_fn` seeds all workers alike; `fixed_seed` is the line where
    every sample is drawn from the same seed.
    """

    id: int
    dataset: str = "Dataset"
    length: int | None = None
    sampler: str | None = None
    shuffled: bool | None = None
    batch_size: int | None = None
    workers: int = 0
    drop_last: bool = False
    passes: int = 1
    line: str | None = None
    begun: str | None = None
    left: str | None = None
    given_at: str | None = None
    worker_init: bool = False
    iterable: bool = False
    own_random: str | None = None
    one_seed: bool = False
    fixed_seed: str | None = None


@dataclass(frozen=True, slots=True)
class Edge:
    """One layer feeds another, through these operations."""

    source: str
    target: str
    ops: tuple[str, ...] = ()
    model: int = 0


@dataclass(frozen=True, slots=True)
class Load:
    """A call of `load_state_dict` after so many steps: how many keys found their place.

    A state that is the weights of a model that was trained since, and no copy, was `kept` after that step, `kept_at`
    this line.
    """

    line: str | None = None
    model: str | None = None
    given: int | None = None
    matched: int = 0
    missing: int = 0
    unexpected: int = 0
    first_missing: tuple[str, ...] = ()
    first_unexpected: tuple[str, ...] = ()
    step: int | None = None
    kept: int | None = None
    kept_at: str | None = None


@dataclass(frozen=True, slots=True)
class HookPile:
    """Hooks from one line that were on one module at the same time; `steps` are those after which they came."""

    line: str | None = None
    call: str = "register_forward_hook"
    module: str | None = None
    count: int = 0
    steps: tuple[int, ...] = ()
