"""The JSON files of a run: strict JSON out, one clear error in."""

import json
import math
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

from stetho.errors import RunDamaged


def encode(data: object, *, indent: int | None = None) -> bytes:
    """Strict JSON, with numbers that JSON does not know as the strings NaN, Infinity and -Infinity.

    >>> encode({"loss": float("nan"), "path": Path("a")})
    b'{"loss": "NaN", "path": "a"}\\n'
    """
    text = json.dumps(plain(data), indent=indent, ensure_ascii=False, allow_nan=False)
    return text.encode(errors="replace") + b"\n"


def extended(content: bytes, more: Mapping[str, object]) -> bytes:
    """An object that `encode` has encoded, with further members at its end; it is not encoded again.

    >>> json.loads(extended(encode({"models": [1]}), {"probes": {"calls": 2}}))
    {'models': [1], 'probes': {'calls': 2}}
    """
    if not more:
        return content
    before = content.rstrip()[:-1].rstrip()
    return before + (b"" if before == b"{" else b",") + encode(more, indent=1)[1:]


def read_object(path: Path) -> dict[str, Any]:
    """The JSON object in a file; FileNotFoundError when there is none, RunDamaged when it is something else."""
    data = _decode(_content(path), str(path))
    if not isinstance(data, dict):
        raise RunDamaged(f"{path}: holds {_kind(data)}; this file holds a JSON object")
    return data


def read_lines(path: Path) -> list[dict[str, Any]]:
    """The JSON objects in a file of lines; a last line without its end was cut off by a kill and is left out."""
    try:
        lines = _content(path).split(b"\n")[:-1]
    except FileNotFoundError:
        return []
    objects: list[Any]
    try:
        # One call for all is several times faster than one for each line.
        objects = json.loads(b"[" + b",".join(lines) + b"]")
    except (ValueError, RecursionError):
        objects = [_decode(line, f"{path}, line {number}") for number, line in enumerate(lines, 1)]
    for number, data in enumerate(objects, 1):
        if not isinstance(data, dict):
            raise RunDamaged(f"{path}, line {number}: holds {_kind(data)}; each line holds a JSON object")
    return objects


def plain(data: object) -> object:
    """Data as JSON knows it: numbers that it has no word for become the strings NaN, Infinity and -Infinity.

    >>> plain({"shape": (2, 3), "error": float("inf")})
    {'shape': [2, 3], 'error': 'Infinity'}
    """
    if isinstance(data, str) or data is None or isinstance(data, bool):
        return str(data) if isinstance(data, str) else data
    if isinstance(data, dict):
        return {str(key): plain(value) for key, value in data.items()}
    if isinstance(data, list | tuple | set | frozenset):
        return [plain(value) for value in data]
    if isinstance(data, int):
        return int(data)
    if isinstance(data, float | Decimal):
        return float(data) if math.isfinite(data) else _name(float(data))
    if hasattr(data, "tolist"):  # numpy scalars and arrays
        return plain(data.tolist())
    return str(data)


def _name(number: float) -> str:
    return "NaN" if math.isnan(number) else "Infinity" if number > 0 else "-Infinity"


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise
    except OSError as error:
        raise RunDamaged(f"{path}: cannot be read ({error.strerror}); check its permissions") from error


def _decode(content: bytes, place: str) -> object:
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        raise RunDamaged(f"{place}: not JSON ({error}); it was changed or only partly copied") from error


def _kind(data: object) -> str:
    return {list: "a list", str: "a text", type(None): "null"}.get(type(data), "a number")
