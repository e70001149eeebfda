"""The tensors of a checkpoint as a tree: names that share a beginning stand below it."""

from collections.abc import Iterable
from dataclasses import dataclass, field

INDENT = "  "


@dataclass(slots=True)
class Node:
    """A part of a name, what stands below it, and the tensor that ends here."""

    label: str
    name: str | None = None
    children: "dict[str, Node]" = field(default_factory=dict)


def tree_lines(names: Iterable[str]) -> list[tuple[str, str | None]]:
    """Indented labels, each with the name of its tensor, or None for a line that only groups.

    >>> tree_lines(["model.fc.weight", "model.fc.bias", "epoch"])
    [('model.fc', None), ('  weight', 'model.fc.weight'), ('  bias', 'model.fc.bias'), ('epoch', 'epoch')]
    """
    root = Node("")
    for name in names:
        node = root
        for part in parts_of(name):
            node = node.children.setdefault(part, Node(part))
        node.name = name
    lines: list[tuple[str, str | None]] = []
    waiting = [(child, 0) for child in reversed(root.children.values())]
    while waiting:
        node, depth = waiting.pop()
        label = node.label
        while node.name is None and len(node.children) == 1:
            node = next(iter(node.children.values()))
            label += node.label
        lines.append((INDENT * depth + label.strip("./") if node.name != "" else "", node.name))
        waiting.extend((child, depth + 1) for child in reversed(node.children.values()))
    return lines


def parts_of(name: str) -> list[str]:
    """The parts of a name, each with the sign before it.

    >>> parts_of("a.b/c")
    ['a', '.b', '/c']
    """
    parts = [""]
    for sign in name:
        if sign in "./":
            parts.append(sign)
        else:
            parts[-1] += sign
    return parts
