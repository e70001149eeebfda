"""MessagePack: nested values in a compact form. Bytes are left where they are: large arrays are never copied."""

import struct
from dataclasses import dataclass
from typing import Any

from stetho.checkpoints.nested import DEEPEST, MOST_ENTRIES
from stetho.checkpoints.stored import Stretch
from stetho.errors import CheckpointDamaged, CheckpointRefused

FORMS = (">f", ">d", ">B", ">H", ">I", ">Q", ">b", ">h", ">i", ">q")
NUMBERS = {0xCA + place: form for place, form in enumerate(FORMS)}
CONSTANTS = {0xC0: None, 0xC2: False, 0xC3: True}
BYTES = {0xC4: 1, 0xC5: 2, 0xC6: 4}
TEXTS = {0xD9: 1, 0xDA: 2, 0xDB: 4}
LISTS = {0xDC: 2, 0xDD: 4}
MAPS = {0xDE: 2, 0xDF: 4}
EXTENSIONS = {0xC7: 1, 0xC8: 2, 0xC9: 4}
FIXED_EXTENSIONS = {0xD4 + power: 1 << power for power in range(5)}
LONGEST_TEXT = 1 << 20


@dataclass(frozen=True, slots=True)
class Extension:
    """Bytes of a kind that the application knows."""

    code: int
    place: Stretch


class MessageReader:
    """Reads one value after the other."""

    def __init__(self, content: Stretch) -> None:
        self.content = content
        self.at = 0
        self.entries = 0

    def value(self, depth: int = 0) -> Any:
        """The next value, with everything in it."""
        self.entries += 1
        if depth > DEEPEST or self.entries > MOST_ENTRIES:
            raise CheckpointRefused(f"nested more than {DEEPEST} deep, or more than {MOST_ENTRIES:,} entries")
        first = self._number(1)
        if first < 0x80:
            return first
        if first >= 0xE0:
            return first - 0x100
        if first in CONSTANTS:
            return CONSTANTS[first]
        if first in NUMBERS:
            form = NUMBERS[first]
            return struct.unpack(form, self._taken(struct.calcsize(form)))[0]
        if first in BYTES:
            return self._place(self._number(BYTES[first]))
        if 0xA0 <= first < 0xC0 or first in TEXTS:
            return self._text(first & 0x1F if first < 0xC0 else self._number(TEXTS[first]))
        if first in FIXED_EXTENSIONS or first in EXTENSIONS:
            size = FIXED_EXTENSIONS.get(first) or self._number(EXTENSIONS[first])
            return Extension(self._number(1), self._place(size))
        return self._container(first, depth)

    def _container(self, first: int, depth: int) -> Any:
        if first < 0x90 or first in MAPS:
            count = first & 0x0F if first < 0x90 else self._number(MAPS[first])
            return dict(self._pair(depth) for _ in range(count))
        if first < 0xA0 or first in LISTS:
            count = first & 0x0F if first < 0xA0 else self._number(LISTS[first])
            return [self.value(depth + 1) for _ in range(count)]
        raise CheckpointDamaged(f"no value begins with the byte {first:#x}; the file was cut off or changed")

    def _pair(self, depth: int) -> tuple[str | int, Any]:
        key = self.value(depth + 1)
        if not isinstance(key, str | int):
            raise CheckpointDamaged("a key is neither a text nor a number")
        return key, self.value(depth + 1)

    def _number(self, width: int) -> int:
        return int.from_bytes(self._taken(width), "big")

    def _text(self, size: int) -> str:
        if size > LONGEST_TEXT:
            raise CheckpointRefused(f"a text of {size:,} bytes; names are short")
        return self._taken(size).decode("utf-8")

    def _taken(self, size: int) -> bytes:
        return self._place(size).head(max(size, 1))

    def _place(self, size: int) -> Stretch:
        place = self.content.part(self.at, size)
        self.at += size
        return place
