"""Nested dictionaries, lists and objects as flat names: `optimizer.state.0.exp_avg`."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from stetho.checkpoints.contents import LazyTensor, Value
from stetho.checkpoints.refusing import safe_name
from stetho.errors import CheckpointRefused

MOST_ENTRIES = 500_000
DEEPEST = 100
KINDS_NAMED = 3
MODULE_FOLDERS = ("_modules", "_parameters", "_buffers")
"""Where a pickled torch module keeps its parts; without them its names are those of its state dict."""


class Opaque:
    """An object of a class that is not known here: what it was made from and its state, and nothing was run."""

    __slots__ = ("arguments", "contents", "kind", "state")

    def __init__(self, kind: str, arguments: tuple[Any, ...] = ()) -> None:
        self.kind = kind
        self.arguments = arguments
        self.state: Any = None
        self.contents: Any = None
        """What was put in, when it is a kind of list or dictionary."""


@dataclass(slots=True)
class Flat:
    """Tensors and values by flat names, and the kinds of objects that were met."""

    tensors: dict[str, LazyTensor] = field(default_factory=dict)
    values: dict[str, Value] = field(default_factory=dict)
    kinds: dict[str, int] = field(default_factory=dict)

    def notes(self) -> tuple[str, ...]:
        """Which objects were not made."""
        kinds = [safe_name(kind) for kind in self.kinds]
        more = f" and {len(kinds) - KINDS_NAMED} more classes" if len(kinds) > KINDS_NAMED else ""
        told = ", ".join(kinds[:KINDS_NAMED]) + more
        return (f"objects of {told} were not made; what they hold was read",) if kinds else ()


def flatten(tree: object, tensor_of: Callable[[str, object], LazyTensor | None]) -> Flat:
    """Walk a tree of plain containers. `tensor_of` gives the tensor for a leaf that is one.

    >>> flatten({"epoch": 3, "nested": [{"lr": 0.1}]}, lambda name, leaf: None).values
    {'epoch': 3, 'nested.0.lr': 0.1}
    """
    flat = Flat()
    seen = 0
    waiting: list[tuple[str, object, int]] = [("", tree, 0)]
    while waiting:
        name, node, depth = waiting.pop()
        seen += 1
        if seen > MOST_ENTRIES or depth > DEEPEST:
            raise CheckpointRefused(
                f"the nested values have more than {MOST_ENTRIES:,} entries or {DEEPEST} levels; "
                "a file that asks for this may be made to fill the memory"
            )
        tensor = tensor_of(name, node)
        if tensor is not None:
            flat.tensors[name] = tensor
            continue
        if isinstance(node, Opaque):
            flat.kinds[node.kind] = flat.kinds.get(node.kind, 0) + 1
        if isinstance(node, str | int | float | bool) or node is None:
            flat.values[name] = node
        children = [(joined(name, key), child, depth + 1) for key, child in _children(node)]
        waiting.extend(reversed(children))
    return flat


def joined(name: str, key: object) -> str:
    """The name of an entry.

    >>> joined("layers", 0), joined("", "weight"), joined("fc", "_parameters")
    ('layers.0', 'weight', 'fc')
    """
    if key in MODULE_FOLDERS:
        return name
    own = str(key) if isinstance(key, int) else safe_name(key)
    return f"{name}.{own}" if name else own


def _children(node: object) -> Iterator[tuple[object, object]]:
    if isinstance(node, Mapping):
        yield from node.items()
    elif isinstance(node, list | tuple):
        yield from enumerate(node)
    elif isinstance(node, Opaque):
        for part in (node.state, node.contents):
            yield from _children(part)
        if node.state is None and node.contents is None:
            yield from enumerate(node.arguments)
