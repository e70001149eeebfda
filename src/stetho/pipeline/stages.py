"""What happens while a sample is made: each transform and function with its time and its output.

Python itself tells of every call (`sys.setprofile`), so nothing of the program is wrapped or replaced, and chains,
nested transforms and plain functions are all seen alike. Time of ours is left out of the times.
"""

import gc
import sys
from collections.abc import Callable
from time import perf_counter
from types import CodeType, FrameType
from typing import Any

from stetho.capture.source import is_own_code, is_user_code, library_of
from stetho.pipeline.describing import described, has_nan
from stetho.pipeline.facts import Picture, Stage

DEEPEST = 6
MOST_NODES = 300
CALLS_TO_CALIBRATE = 300
ROUNDS = 7
CALLS_LOOKED_AT = 64
CHAINS = ("transforms", "augmentations", "steps", "ops", "_modules")
CALLED = frozenset(("__call__", "forward", "apply"))
MAKERS = frozenset(("__getitem__", "__getitems__", "__iter__", "__next__"))
UNSEEN_NAMES = frozenset(("<listcomp>", "<genexpr>", "<dictcomp>", "<setcomp>", "decorate_context", "__getattr__"))
UNSEEN_FILES = ("torch/nn/modules/module.py", "functools.py", "contextlib.py")

Depict = Callable[[Any, str], Picture | None]


class Node:
    """A function in the place from which it is called."""

    def __init__(self, name: str, depth: int, line: str = "", *, expands: bool = False) -> None:
        self.name = name
        self.depth = depth
        self.line = line
        self.expands = expands
        self.is_chain = self.is_chained = self.is_builtin = False
        self.times: dict[int, float] = {}
        self.calls = 0
        self.output = ""
        self.has_nan = False
        self.picture: Picture | None = None
        self.children: dict[object, Node] = {}


class Open:
    """A call under way."""

    __slots__ = ("before", "node", "own", "started")

    def __init__(self, node: Node, before: Node, started: float, own: float) -> None:
        self.node = node
        self.before = before
        self.started = started
        self.own = own


class Stages:
    """Follows the making of samples.

    >>> def double(x): return 2 * x
    >>> stages = Stages()
    >>> stages.follow(lambda: double(3))
    6
    """

    def __init__(self, depict: Depict = lambda _value, _name: None) -> None:
        self.samples = 0
        self.first_nan: Node | None = None
        """The first function that returned a NaN; what it calls returns before it does."""
        self._depict = depict
        self._root = Node("", -1, expands=True)
        self._current = self._root
        self._stack: list[Open | None] = []
        self._own = 0.0
        self._nodes = 0
        self._price = 0.0
        self._price = self._price_of_an_event()

    def follow(self, make: Callable[[], Any]) -> Any:
        """Make one sample and see how."""
        before = sys.getprofile()
        if before is not None and not callable(before):
            return make()  # cProfile, which cannot be put back
        self._stack, self._current = [], self._root
        # Garbage is collected wherever memory is asked for: that is the work of no transform.
        collects = gc.isenabled()
        gc.disable()
        sys.setprofile(self._hook)
        try:
            made = make()
        finally:
            sys.setprofile(before)
            if collects:
                gc.enable()
        self.samples += 1
        return made

    def _hook(self, frame: FrameType, event: str, arg: Any) -> None:
        now = perf_counter()
        try:
            if event == "call":
                self._on_call(frame, now)
            elif event == "return":
                self._on_return(arg, now)
            elif event == "c_call":
                self._on_builtin(arg, now)
            elif self._stack and self._stack[-1] is not None and self._stack[-1].node.is_builtin:
                self._on_return(None, now)
        except Exception:  # would be raised in the middle of the program's own code
            sys.setprofile(None)
        self._own += perf_counter() - now + self._price

    def _on_call(self, frame: FrameType, now: float) -> None:
        code, parent = frame.f_code, self._current
        is_user = is_user_code(code)
        if _is_unseen(code) or parent.depth >= DEEPEST:
            self._stack.append(None)
            return
        held = _self_of(frame) if parent.expands or code.co_name in CALLED else None
        is_chain = code.co_name in CALLED and _is_chain(held)
        if not (parent.expands or is_user or is_chain):
            self._stack.append(None)
            return
        key = (code, id(held)) if parent.is_chain else code
        node = parent.children.get(key)
        if node is None:
            line = f"{code.co_filename}:{code.co_firstlineno}" if is_user else ""
            expands = is_user or is_chain or code.co_name in MAKERS
            node = Node(_name(code, held), parent.depth + 1, line, expands=expands)
            node.is_chain = is_chain
            # A chain also calls its own methods; a transform is called as a function.
            node.is_chained = parent.is_chain and (held is None or code.co_name in CALLED)
            self._keep(parent, key, node)
        self._stack.append(Open(node, parent, now, self._own))
        self._current = node

    def _on_builtin(self, function: Any, now: float) -> None:
        if not self._stack or self._stack[-1] is None or not self._current.expands:
            return
        if self._stack[-1].node.is_builtin:
            return
        parent = self._current
        # Functions of torch are methods of a class that nobody knows.
        name = str(getattr(function, "__qualname__", function)).replace("_VariableFunctionsClass", "torch")
        node = parent.children.get(name)
        if node is None:
            node = Node(name, parent.depth + 1)
            node.is_builtin = True
            node.is_chained = parent.is_chain and getattr(function, "__module__", None) != "builtins"
            self._keep(parent, name, node)
        self._stack.append(Open(node, parent, now, self._own))

    def _keep(self, parent: Node, key: object, node: Node) -> None:
        if self._nodes < MOST_NODES:
            self._nodes += 1
            parent.children[key] = node

    def _on_return(self, value: Any, now: float) -> None:
        if not self._stack:
            return
        opened = self._stack.pop()
        if opened is None:
            return
        node = opened.node
        took = max(0.0, now - opened.started - (self._own - opened.own))
        node.times[self.samples] = node.times.get(self.samples, 0.0) + took
        node.calls += 1
        self._current = opened.before
        if not node.is_builtin and value is not None and node.calls <= CALLS_LOOKED_AT:
            self._look(node, value)

    def _look(self, node: Node, value: Any) -> None:
        try:
            if not node.output:
                node.output = described(value)
                node.picture = self._depict(value, node.name)
            node.has_nan = node.has_nan or has_nan(value)
            if node.has_nan and self.first_nan is None:
                self.first_nan = node
        except Exception:  # a value that cannot be read must not break the making of a sample
            node.output = node.output or type(value).__name__

    def _price_of_an_event(self) -> float:
        """What python itself needs to tell of a call, beside the time in our own hook: the least of some rounds."""
        measured = Stages.__new__(Stages)
        measured.__dict__ |= self.__dict__ | {"_root": Node("", DEEPEST)}
        bare, told = [], []
        for _ in range(ROUNDS):
            started = perf_counter()
            _many_calls()
            bare.append(perf_counter() - started)
            measured._own = 0.0
            started = perf_counter()
            measured.follow(_many_calls)
            told.append(perf_counter() - started - measured._own)
        return max(0.0, (min(told) - min(bare)) / (2 * CALLS_TO_CALIBRATE))

    def stages(self) -> tuple[Stage, ...]:
        """All that was seen, callers before what they call; the first sample, which also warms up, is left out."""
        return tuple(self._listed(self._root))

    def _listed(self, parent: Node) -> list[Stage]:
        first, counted = (0, self.samples) if self.samples < 3 else (1, self.samples - 1)
        found: list[Stage] = []
        for node in parent.children.values():
            seconds = sum(took for sample, took in node.times.items() if sample >= first) / max(counted, 1)
            found.append(
                Stage(
                    node.name,
                    node.depth,
                    seconds,
                    node.calls / max(self.samples, 1),
                    node.output,
                    node.line,
                    node.has_nan,
                    node.is_chained or node.is_chain,
                    node.picture,
                )
            )
            found += self._listed(node)
        return found


def _nothing() -> None:
    return None


def _many_calls() -> None:
    for _ in range(CALLS_TO_CALIBRATE):
        _nothing()


def _is_unseen(code: CodeType) -> bool:
    """Whether a frame is only on the way: stetho's own, comprehensions, and the machinery of modules."""
    if code.co_name in UNSEEN_NAMES or is_own_code(code):
        return True
    return not is_user_code(code) and code.co_filename.replace("\\", "/").endswith(UNSEEN_FILES)


def _self_of(frame: FrameType) -> Any:
    code = frame.f_code
    if not code.co_argcount or code.co_varnames[0] != "self":
        return None
    return frame.f_locals.get("self")


def _is_chain(held: Any) -> bool:
    parts = getattr(held, "__dict__", {})
    return any(isinstance(parts.get(name), list | tuple | dict) and len(parts[name]) > 0 for name in CHAINS)


def _name(code: CodeType, held: Any) -> str:
    if code.co_name == "<lambda>":
        return f"lambda in line {code.co_firstlineno}"
    if held is not None and code.co_name in CALLED:
        return type(held).__name__
    name = code.co_qualname.rpartition("<locals>.")[2]
    return name if is_user_code(code) else f"{library_of(code)}.{name}"
