"""What is the same for every call of an operation: its name, whether it is a view, which arguments it writes to."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Kind:
    """An operation as such."""

    func: Any
    """Kept, so that its identity remains its own."""
    name: str
    is_view: bool
    """It only shows the values of its input in another shape."""
    writes: tuple[int, ...]
    """Places of the arguments that it changes."""


def kind_of(func: Any) -> Kind:
    """Read it off the schema; operations of higher order have none.

    >>> import torch
    >>> kind = kind_of(torch.ops.aten.log_.default)
    >>> kind.name, kind.is_view, kind.writes
    ('log', False, (0,))
    """
    schema = getattr(func, "_schema", None)
    if schema is None:
        return Kind(func, str(func.name()), is_view=False, writes=())
    returns = [each.alias_info for each in schema.returns]
    is_view = bool(returns) and all(alias is not None and not alias.is_write for alias in returns)
    aliases = [argument.alias_info for argument in schema.arguments]
    writes = tuple(place for place, alias in enumerate(aliases) if alias is not None and alias.is_write)
    return Kind(func, name_of(func), is_view, writes)


def name_of(func: Any) -> str:
    """The plain name of an operation: `log`, `softmax`, `mul`.

    >>> import torch
    >>> name_of(torch.ops.aten._softmax.default), name_of(torch.ops.aten.log_.default)
    ('softmax', 'log')
    """
    name = func.name().rpartition("::")[2].partition(".")[0]
    return str(name.strip("_") or name)
