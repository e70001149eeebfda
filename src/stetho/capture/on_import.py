"""Runs an action right after a module was imported, so that nothing is imported before the program does it."""

import sys
from collections.abc import Callable, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType

Action = Callable[[ModuleType], None]


def when_imported(name: str, action: Action) -> Callable[[], None]:
    """Call `action(module)` when `name` has been imported, at once if it is there; returns what calls it off.

    >>> seen = []
    >>> undo = when_imported("json", lambda module: seen.append(module.__name__))
    >>> import json
    >>> seen
    ['json']
    >>> undo()
    """
    module = sys.modules.get(name)
    if module is not None and not getattr(getattr(module, "__spec__", None), "_initializing", False):
        action(module)
        return lambda: None
    finder = _Finder(name, action)
    sys.meta_path.insert(0, finder)
    return finder.remove


class _Finder(MetaPathFinder):
    """Finds nothing itself: it lets the other finders look and wraps the loader they return."""

    def __init__(self, name: str, action: Action) -> None:
        self.name = name
        self.action = action

    def find_spec(
        self, fullname: str, _path: Sequence[str] | None = None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != self.name:
            return None
        self.remove()
        spec = find_spec(fullname)
        if spec is not None and spec.loader is not None:
            spec.loader = _Loader(spec.loader, self.action)
        return spec

    def remove(self) -> None:
        if self in sys.meta_path:
            sys.meta_path.remove(self)


class _Loader(Loader):
    """The module's own loader, with the action after it. The module keeps its own loader as `__loader__`."""

    def __init__(self, inner: Loader, action: Action) -> None:
        self.inner = inner
        self.action = action

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self.inner.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        spec = module.__spec__
        if spec is not None:
            spec.loader = self.inner
        module.__loader__ = self.inner
        self.inner.exec_module(module)
        self.action(module)
