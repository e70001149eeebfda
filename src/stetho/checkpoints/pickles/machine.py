"""A machine for pickles that builds plain containers and asks for everything else.

Python's own unpickler is not used: even with its names restricted it takes as much memory as a file asks for.
"""

import pickletools
from collections.abc import Callable
from typing import Any

from stetho.checkpoints.nested import Opaque
from stetho.checkpoints.pickles.stream import PickleStream
from stetho.errors import CheckpointDamaged, CheckpointRefused

MOST_OPERATIONS = 50_000_000
OPERATIONS = {ord(op.code): op for op in pickletools.opcodes}
LENGTHS = {"SHORT_BINBYTES": 1, "BINBYTES": 4, "BINBYTES8": 8, "BYTEARRAY8": 8}
CONSTANTS: dict[str, Any] = {"NONE": None, "NEWTRUE": True, "NEWFALSE": False, "EMPTY_TUPLE": ()}
EMPTY: dict[str, Callable[[], Any]] = {"EMPTY_LIST": list, "EMPTY_DICT": dict, "EMPTY_SET": set}
PLAIN = (
    *("INT", "BININT", "BININT1", "BININT2", "LONG", "LONG1", "LONG4", "FLOAT", "BINFLOAT"),
    *("STRING", "BINSTRING", "SHORT_BINSTRING", "UNICODE", "SHORT_BINUNICODE", "BINUNICODE", "BINUNICODE8"),
)
MARK = object()

Find = Callable[[str, str], Callable[..., Any]]
"""Gives for the module and the name of a function what is called in its place."""


class Machine:
    """Reads one pickle; `find` answers for functions and classes, `fetch` for what is stored outside."""

    def __init__(self, stream: PickleStream, find: Find, fetch: Callable[[Any], Any]) -> None:
        self.stream = stream
        self.find = find
        self.fetch = fetch
        self.stack: list[Any] = []
        self.memo: dict[int, Any] = {}

    def run(self) -> Any:
        """The object that the pickle describes."""
        for _ in range(MOST_OPERATIONS):
            code = self.stream.read(1)
            operation = OPERATIONS.get(code[0]) if code else None
            if operation is None:
                raise CheckpointDamaged(f"{self.stream.file.path}: no pickle at {self.stream.at - 1:,}; copy it again")
            if operation.name == "STOP":
                return self.stack.pop()
            self._do(operation)
        raise CheckpointRefused(f"{self.stream.file.path}: a pickle of more than {MOST_OPERATIONS:,} operations")

    def _do(self, operation: pickletools.OpcodeInfo) -> None:
        name = operation.name
        if name in LENGTHS:
            size = int.from_bytes(self.stream.read(LENGTHS[name]), "little")
            self.stack.append(self.stream.place(size))
            return
        argument: Any = operation.arg.reader(self.stream) if operation.arg else None  # type: ignore[arg-type]
        if name in PLAIN:
            self.stack.append(argument)
        elif name in CONSTANTS:
            self.stack.append(CONSTANTS[name])
        elif name in EMPTY:
            self.stack.append(EMPTY[name]())
        elif name.endswith("GET"):
            self.stack.append(self.memo[argument])
        elif name.endswith("PUT"):
            self.memo[argument] = self.stack[-1]
        elif (special := getattr(self, f"_{name.lower()}", None)) is not None:
            special(argument)
        else:
            raise CheckpointRefused(f"{self.stream.file.path}: a pickle asks for {name}, which weights never need")

    def _proto(self, _argument: object) -> None:
        """Nothing depends on the version."""

    def _frame(self, _argument: object) -> None:
        """Frames only help to read ahead."""

    def _mark(self, _argument: object) -> None:
        self.stack.append(MARK)

    def _pop(self, _argument: object) -> None:
        self.stack.pop()

    def _pop_mark(self, _argument: object) -> None:
        self._marked()

    def _dup(self, _argument: object) -> None:
        self.stack.append(self.stack[-1])

    def _memoize(self, _argument: object) -> None:
        self.memo[len(self.memo)] = self.stack[-1]

    def _tuple(self, _argument: object) -> None:
        self.stack.append(tuple(self._marked()))

    def _tuple1(self, _argument: object) -> None:
        self.stack[-1:] = [tuple(self._last(1))]

    def _tuple2(self, _argument: object) -> None:
        self.stack[-2:] = [tuple(self._last(2))]

    def _tuple3(self, _argument: object) -> None:
        self.stack[-3:] = [tuple(self._last(3))]

    def _list(self, _argument: object) -> None:
        self.stack.append(self._marked())

    def _dict(self, _argument: object) -> None:
        items = self._marked()
        self.stack.append({})
        self._put(items)

    def _frozenset(self, _argument: object) -> None:
        self.stack.append(frozenset(map(plain_key, self._marked())))

    def _append(self, _argument: object) -> None:
        self._add([self.stack.pop()])

    def _appends(self, _argument: object) -> None:
        self._add(self._marked())

    def _additems(self, _argument: object) -> None:
        self._add(self._marked())

    def _setitem(self, _argument: object) -> None:
        items = self._last(2)
        del self.stack[-2:]
        self._put(items)

    def _setitems(self, _argument: object) -> None:
        self._put(self._marked())

    def _global(self, argument: str) -> None:
        module, _, name = argument.partition(" ")
        self.stack.append(self.find(module, name))

    def _stack_global(self, _argument: object) -> None:
        module, name = self._last(2)
        self.stack[-2:] = [self.find(str(module), str(name))]

    def _inst(self, argument: str) -> None:
        arguments = self._marked()
        module, _, name = argument.partition(" ")
        self.stack.append(self.find(module, name)(*arguments))

    def _obj(self, _argument: object) -> None:
        made, *arguments = self._marked()
        self._make(made, tuple(arguments))

    def _reduce(self, _argument: object) -> None:
        made, arguments = self._last(2)
        del self.stack[-2:]
        self._make(made, arguments)

    _newobj = _reduce

    def _newobj_ex(self, _argument: object) -> None:
        made, arguments, _named = self._last(3)
        del self.stack[-3:]
        self._make(made, arguments)

    def _build(self, _argument: object) -> None:
        state = self.stack.pop()
        target = self.stack[-1]
        if isinstance(target, Opaque):
            target.state = state
        elif hasattr(target, "set_state"):
            target.set_state(state)

    def _persid(self, argument: str) -> None:
        self.stack.append(self.fetch(argument))

    def _binpersid(self, _argument: object) -> None:
        self.stack.append(self.fetch(self.stack.pop()))

    def _make(self, made: Any, arguments: Any) -> None:
        if not callable(made) or not isinstance(arguments, tuple):
            raise CheckpointDamaged(f"{self.stream.file.path}: a pickle calls what is no function")
        self.stack.append(made(*arguments))

    def _marked(self) -> list[Any]:
        place = len(self.stack) - 1
        while self.stack[place] is not MARK:
            place -= 1
            if place < 0:
                raise CheckpointDamaged(f"{self.stream.file.path}: a pickle closes what it never opened")
        items = self.stack[place + 1 :]
        del self.stack[place:]
        return items

    def _last(self, count: int) -> list[Any]:
        if len(self.stack) < count:
            raise CheckpointDamaged(f"{self.stream.file.path}: a pickle takes more than it has put there")
        return self.stack[-count:]

    def _add(self, items: list[Any]) -> None:
        target = self.stack[-1]
        if isinstance(target, Opaque):
            target.contents = target.contents if isinstance(target.contents, list) else []
            target.contents.extend(items)
        elif isinstance(target, set):
            target.update(map(plain_key, items))
        else:
            target.extend(items)

    def _put(self, items: list[Any]) -> None:
        target = self.stack[-1]
        pairs = {plain_key(key): value for key, value in zip(items[::2], items[1::2], strict=True)}
        if isinstance(target, Opaque):
            target.contents = {**target.contents, **pairs} if isinstance(target.contents, dict) else pairs
        elif isinstance(target, dict):
            target.update(pairs)
        else:
            raise CheckpointDamaged(f"{self.stream.file.path}: a pickle puts items into what is no dictionary")


def plain_key(key: Any) -> Any:
    """A key; nested ones are refused, since the hash of a tuple of tuples of tuples can take for ever."""
    plain = str | int | float | bool | bytes | Opaque | None
    parts = key if isinstance(key, tuple) else (key,)
    if not all(isinstance(part, plain) for part in parts):
        raise CheckpointRefused("a dictionary has keys that are neither texts nor numbers; weights never need that")
    return key
