"""What is the same for every call of an operation: its name, whether it is a view, which arguments it writes to."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Kind:
    """An operation as such."""

    func: Any
    """Kept, so that its identity remains its own."""
    call: Any
    """Does the same without a detour."""
    name: str
    is_view: bool
    """It only shows the values of its input in another shape."""
    writes: tuple[int, ...]
    """Places of the arguments that it changes."""
    writes_aside: tuple[int, ...] = ()
    """Those among them that are not among its results."""


def kind_of(func: Any) -> Kind:
    """Read it off the schema; operations of higher order have none.

    >>> import torch
    >>> kind = kind_of(torch.ops.aten.log_.default)
    >>> kind.name, kind.is_view, kind.writes
    ('log', False, (0,))
    """
    schema = getattr(func, "_schema", None)
    if schema is None:
        return Kind(func, func, str(func.name()), is_view=False, writes=())
    returns = [each.alias_info for each in schema.returns]
    is_view = bool(returns) and all(alias is not None and not alias.is_write for alias in returns)
    given_back = {name for alias in returns if alias is not None for name in alias.before_set}
    writes = {
        place: argument.alias_info.before_set
        for place, argument in enumerate(schema.arguments)
        if argument.alias_info is not None and argument.alias_info.is_write
    }
    aside = tuple(place for place, names in writes.items() if not names & given_back)
    return Kind(func, getattr(func, "_op", func), name_of(func), is_view, tuple(writes), aside)


def name_of(func: Any) -> str:
    """The plain name of an operation: `log`, `softmax`, `mul`.

    >>> import torch
    >>> name_of(torch.ops.aten._softmax.default), name_of(torch.ops.aten.log_.default)
    ('softmax', 'log')
    """
    name = func.name().rpartition("::")[2].partition(".")[0]
    return str(name.strip("_") or name)
