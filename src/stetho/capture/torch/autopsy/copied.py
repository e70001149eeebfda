"""Models for a replay: copies that nothing of the program's can see, or the model itself with its state put back."""

import copy
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from types import FunctionType
from typing import Any

import torch
from torch import Tensor
from torch.nn import Module

from stetho.capture.source import is_user_code
from stetho.capture.torch.autopsy.carried import Carried
from stetho.capture.torch.autopsy.outside import COLLECTIONS, Contents
from stetho.capture.torch.models.models import unwrapped

LARGEST_COPY = 2 << 30
"""Models with more bytes are replayed as they are, and their state is put back."""
PLAIN = frozenset((bool, int, float, str, tuple, type(None)))
USUAL = frozenset((dict, OrderedDict, list, set))
HOOKS = ("_forward_hooks", "_forward_pre_hooks", "_backward_hooks", "_backward_pre_hooks")


class Copies:
    """Copies of the models of one step; what they share, their copies share."""

    def __init__(self) -> None:
        self._memo: dict[int, Any] = {}
        self._saved: list[_Saved] = []
        self.modules: list[Module] = []
        self.own_hooks = False
        """Whether hooks of the program's were left out."""

    def of(self, module: Module) -> Module:
        """The stand-in of a model."""
        module = unwrapped(module)
        known = self._memo.get(id(module))
        if isinstance(known, Module):
            return known
        stand_in = self._copy(module)
        for part in stand_in.modules():
            self._without_hooks(part)
        self.modules.append(stand_in)
        return stand_in

    def give(self, carried: list[Carried]) -> None:
        """Have the stand-ins begin a call with what their modules had when it began."""
        for each in carried:
            stand_in = self._memo.get(id(each.part), each.part)
            for original, again in each.put_into(stand_in):
                self._memo[id(original)] = again

    def tensor(self, original: Tensor) -> Tensor | None:
        """The stand-in of a parameter or a buffer."""
        found = self._memo.get(id(original))
        return found if isinstance(found, Tensor) else None

    def _copy(self, module: Module) -> Module:
        size = sum(tensor.nbytes for tensor in (*module.parameters(), *module.buffers()) if not tensor.is_sparse)
        if size > LARGEST_COPY or any(isinstance(vars(part).get("forward"), FunctionType) for part in module.modules()):
            # A plain function in the place of the method may know the model by name, and would not run the copy.
            return self._borrow(module)
        memo = self._memo | {id(tensor): tensor.detach() for tensor in _remembered(module)}
        try:
            made = copy.deepcopy(module, memo)
        except Exception:  # whatever the program keeps in its modules: locks, files, results
            return self._borrow(module)
        self._memo = memo
        return made

    def _borrow(self, module: Module) -> Module:
        self.borrow_parts(module.modules())
        for tensor in (*module.parameters(), *module.buffers()):
            self._memo[id(tensor)] = tensor
        self._memo[id(module)] = module
        return module

    def borrow_parts(self, parts: Iterable[Module]) -> None:
        """Whatever happens to these modules from now on is undone by `put_back`."""
        for part in parts:
            self._saved.append(_Saved(part))

    def _without_hooks(self, part: Module) -> None:
        """Hooks of the program's keep results for it, and must not keep ours."""
        for name in HOOKS:
            hooks = getattr(part, name)
            theirs = [key for key, hook in hooks.items() if _is_users(hook)]
            if theirs:
                self.own_hooks = True
                setattr(part, name, type(hooks)((key, hook) for key, hook in hooks.items() if key not in theirs))

    @contextmanager
    def put_back(self) -> Iterator["Copies"]:
        """Whatever happens to models that were not copied is undone at the end."""
        try:
            yield self
        finally:
            with torch.no_grad():
                for saved in self._saved:
                    saved.put_back()


class _Saved:
    """One module as it was: its attributes, what is in those that are collections, the values of its buffers."""

    __slots__ = ("attributes", "buffers", "empty", "held", "part")

    def __init__(self, part: Module) -> None:
        self.part = part
        self.attributes = dict(vars(part))
        self.empty: list[Any] = []
        self.held: list[Contents] = []
        for value in self.attributes.values():
            kind = type(value)
            if kind in PLAIN:
                continue
            if kind in USUAL and not value:
                # Most are: every module has more than ten for hooks that it does not have.
                self.empty.append(value)
            elif kind in USUAL or isinstance(value, COLLECTIONS):
                self.held.append(Contents(value))
        held = part._buffers.values()
        self.buffers = [(each, each.clone(), _version(each)) for each in held if each is not None] if held else []

    def put_back(self) -> None:
        """Who holds a collection or a buffer goes on holding it: both are filled anew, and not replaced."""
        attributes = self.part.__dict__
        attributes.clear()
        attributes.update(self.attributes)
        for contents in self.held:
            contents.put_back()
        for filled in filter(None, self.empty):
            filled.clear()
        for buffer, kept, version in self.buffers:
            # Written to without need, a buffer would spoil a graph of the program's that has saved it.
            if _version(buffer) != version or not (buffer.is_meta or torch.equal(buffer, kept)):
                with torch.inference_mode() if version is None else nullcontext():
                    buffer.copy_(kept)


def _version(tensor: Tensor) -> int | None:
    """How often it was written to; one that was made for inference only does not count that."""
    try:
        return tensor._version
    except RuntimeError:
        return None


def _is_users(hook: Any) -> bool:
    code = getattr(hook, "__code__", None) or getattr(type(hook).__call__, "__code__", None)
    return code is not None and is_user_code(code)


def _remembered(module: Module) -> Iterator[Tensor]:
    """Results that modules keep for later: a copy of them is refused by the framework."""
    for part in module.modules():
        for value in vars(part).values():
            if isinstance(value, dict):
                items: Any = value.values()
            else:
                items = value if isinstance(value, (tuple, list)) else (value,)
            yield from (item for item in items if isinstance(item, Tensor) and item.grad_fn is not None)
