"""What is known of the place where an error arose, as plain data: what an explanation looks at."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Made:
    """The line of the user's code that made something.

    >>> str(Made("train.py:12", "x = x.flatten(1)"))
    'train.py:12: x = x.flatten(1)'
    """

    where: str
    code: str

    def __str__(self) -> str:
        return f"{self.where}: {self.code}" if self.code else self.where


@dataclass(frozen=True, slots=True)
class Operand:
    """A tensor at the place of the error, under the name that the program gives it there.

    >>> Operand("x", (32, 784), "float32").shown
    '`x` [32, 784]'
    """

    name: str
    shape: tuple[int, ...]
    dtype: str = "float32"
    device: str = "cpu"
    text: str = ""
    low: float | None = None
    high: float | None = None
    made: Made | None = None
    taken_as: str = ""
    """The name under which the layer, or the function of a library, takes it: `input`, `target`, `weight`."""

    @property
    def shown(self) -> str:
        """Name and shape."""
        return f"`{self.name}` {list(self.shape)}"


@dataclass(frozen=True, slots=True)
class LayerFacts:
    """The layer in which an error arose; `settings` are its plain attributes, such as `in_features`."""

    name: str
    kind: str
    settings: Mapping[str, object] = field(default_factory=dict)
    dtype: str | None = None
    device: str | None = None
    built: Made | None = None
    after: str | None = None
    """The layer whose output it takes, in a chain of layers."""

    @property
    def shown(self) -> str:
        """Name and class.

        >>> LayerFacts("fc1", "Linear").shown
        '`fc1` (Linear)'
        """
        return f"`{self.name}` ({self.kind})" if self.name else self.kind


@dataclass(frozen=True, slots=True)
class Unpacked:
    """A value that a statement takes apart, as far as it can be seen without asking for it again."""

    targets: str
    """The names that take the parts, as `x, y`."""
    source: str
    """What is taken apart, or gone through, as it is written."""
    subject: str = ""
    """What one value comes from, in words: a batch of `loader`."""
    kind: str = "unknown"
    """`values`, `dict`, `tensor`, `shape`, or `unknown`."""
    parts: tuple[str, ...] = ()
    made: Made | None = None
    fits: tuple[str, ...] = ()
    is_loop: bool = False


@dataclass(frozen=True, slots=True)
class Scene:
    """An error and what surrounds it: the user's line, the layer, its arguments, the operands of the expression."""

    kind: str
    message: str
    where: str = ""
    code: str = ""
    layer: LayerFacts | None = None
    arguments: tuple[Operand, ...] = ()
    operands: tuple[Operand, ...] = ()
    in_place: tuple[Made, ...] = ()
    """Places that change something in place, when the error is about that."""
    ingredients: tuple[Made, ...] = ()
    """Lines that made what the operand was made of, when the error is about a graph that is not there."""
    repeated: Made | None = None
    """The user's line that most of a stack without end lies in, when the error is about that."""
    held: tuple[str, tuple[str, ...]] | None = None
    """The mapping that was asked for a key, and the keys that it has."""
    unpacked: Unpacked | None = None
    """What is taken apart, when the error is about that."""

    @property
    def subject(self) -> str:
        """What failed: the layer, or the user's expression.

        >>> Scene("RuntimeError", "", code="a @ b").subject
        '`a @ b`'
        """
        if self.layer is not None:
            return self.layer.shown
        return f"`{self.code}`" if self.code else "the operation"

    @property
    def tensors(self) -> tuple[Operand, ...]:
        """The operands of the expression, then what the layer was given; each name with its shape once."""
        known: dict[tuple[str, tuple[int, ...]], Operand] = {}
        for each in self.operands + self.arguments:
            known.setdefault((each.name, each.shape), each)
        return tuple(known.values())

    @property
    def operand(self) -> Operand | None:
        """The first operand of the expression."""
        return next(iter(self.operands), None)

    @property
    def given(self) -> Operand | None:
        """The first tensor that the layer was given, or the first operand."""
        return next(iter(self.arguments or self.operands), None)

    def setting(self, name: str) -> object:
        """A plain attribute of the layer."""
        return self.layer.settings.get(name) if self.layer is not None else None

    def of_shape(self, shape: tuple[int, ...]) -> Operand | None:
        """A tensor of this shape at the place of the error."""
        return next((each for each in self.tensors if each.shape == shape), None)

    @property
    def of_whole_numbers(self) -> Operand | None:
        """The first tensor of whole numbers: an index or a label."""
        return next((each for each in self.tensors if "int" in each.dtype), None)

    def taken_as(self, name: str) -> Operand | None:
        """The tensor that the layer or function takes under this name.

        >>> Scene("IndexError", "", operands=(Operand("labels", (8,), taken_as="target"),)).taken_as("target").name
        'labels'
        """
        return next((each for each in self.tensors if each.taken_as == name), None)

    def of_dtype(self, dtype: str) -> Operand | None:
        """A tensor of this type at the place of the error."""
        return next((each for each in self.tensors if each.dtype == dtype), None)


@dataclass(frozen=True, slots=True)
class Explanation:
    """An error in words: what it means, the facts that show it, and what would fit."""

    title: str
    facts: tuple[tuple[str, str], ...] = ()
    fits: tuple[str, ...] = ()
    name: str = ""
    """Which explanation this is; given by the catalogue."""
    inner: Scene | None = None
    """Another error that the message speaks of, to be explained as well."""
