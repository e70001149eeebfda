"""What can be stepped through: anything that has samples, brought into one form."""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from stetho.errors import UsageError, kind_of
from stetho.pipeline.drawing import Source, indexed, stream

RULE = "give a DataLoader, a data set, an iterable, or a function that makes one"


def sources_of(given: Any, name: str, *, batch_size: int | None = None) -> dict[str, Source]:
    """The data sets in what was given: one, or several when it is a tuple or a dict of loaders.

    >>> list(sources_of(lambda: [1, 2, 3], "numbers"))
    ['numbers']
    """
    made = _made(given, name)
    _refuse_model(made, name)
    parts: list[tuple[Any, Any]] = []
    if isinstance(made, Mapping):
        parts = list(made.items())
    elif isinstance(made, tuple | list):
        parts = list(enumerate(made))
    # Some functions give the loaders together with other things, such as the number of classes.
    several = [(key, part) for key, part in parts if has_samples(part)]
    if several and not (isinstance(made, list) and len(several) < len(parts)):
        return {f"{name}[{key!r}]": _source_of(part, name, batch_size) for key, part in several}
    source = _source_of(made, name, batch_size)
    if made is given and hasattr(made, "__next__"):
        spent = f"the {source.title} that was given is used up now; give a function that makes it"
        source = replace(source, notes=(*source.notes, spent))
    return {name: source}


def _refuse_model(given: Any, name: str) -> None:
    """Some can be stepped through: their samples would be layers."""
    if "torch" in sys.modules:
        from stetho.inspect.torch.models import is_model

        if is_model(given):
            raise UsageError(f"`{name}` is a model ({type(given).__name__}) and has no samples to step through; {RULE}")


def _made(given: Any, name: str) -> Any:
    _refuse_model(given, name)
    is_factory = isinstance(given, type) or not (_is_iterable(given) or has_samples(given))
    if not (is_factory and callable(given)):
        return given
    try:
        return given()
    except TypeError as error:
        raise UsageError(f"`{name}` cannot be called without arguments: {error}; {RULE}") from error


def has_samples(value: Any) -> bool:
    """Whether a value is a loader or a data set by itself, and not just a list or an array that could hold samples.

    >>> has_samples([1, 2]), has_samples("text")
    (False, False)
    """
    if "torch" in sys.modules:
        from stetho.pipeline.torch.loader import is_loader_or_set

        if is_loader_or_set(value):
            return True
    kind = type(value)
    is_plain = isinstance(value, type | str | bytes | Mapping | tuple | list) or hasattr(value, "__array__")
    is_map = hasattr(kind, "__getitem__") and hasattr(kind, "__len__")
    return not is_plain and is_map and kind.__module__.partition(".")[0] not in ("builtins", "torch", "numpy")


def _source_of(given: Any, name: str, batch_size: int | None) -> Source:
    if "torch" in sys.modules:
        from stetho.pipeline.torch.loader import is_loader_or_set, torch_source

        if is_loader_or_set(given):
            return torch_source(given, batch_size)
    if isinstance(given, str | bytes | Mapping) or not _is_iterable(given):
        raise UsageError(f"`{name}` is {kind_of(given)}, which has no samples to step through; {RULE}")
    if hasattr(given, "__getitem__") and hasattr(given, "__len__"):
        return indexed(given, _default_collate() if batch_size else None, batch_size)
    return stream(given, _default_collate() if batch_size else None, batch_size)


def _is_iterable(value: Any) -> bool:
    return hasattr(value, "__iter__") or hasattr(value, "__next__") or hasattr(value, "__getitem__")


def _default_collate() -> Callable[[list[Any]], Any]:
    if "torch" in sys.modules:
        from stetho.pipeline.torch.loader import default_collate

        return default_collate
    return as_lists


def as_lists(samples: Sequence[Any]) -> Any:
    """A batch without a framework: what each field holds, in lists.

    >>> as_lists([(1, "a"), (2, "b")])
    [[1, 2], ['a', 'b']]
    """
    first = samples[0]
    if isinstance(first, Mapping):
        return {key: [sample[key] for sample in samples] for key in first}
    if isinstance(first, tuple):
        return [list(values) for values in zip(*samples, strict=True)]
    return list(samples)
