"""What a batch costs on its way from a worker to the program: its fields, its size, and pickling."""

import random
from io import BytesIO
from multiprocessing.reduction import ForkingPickler
from time import perf_counter
from typing import Any

import torch
from torch import Tensor

from stetho.profiling.records import LoaderCost
from stetho.profiling.torch.loop import batch_length

MOST_FIELDS = 12
ROUNDS = 3


def loader_cost(loader: Any, line: str, batch: Any) -> LoaderCost:
    """What is known of a loader and of a batch that it gave."""
    if batch is None:
        return LoaderCost(type(loader).__name__, line, loader.num_workers, loader.batch_size)
    fields: list[tuple[str, Any]] = list(_fields(batch, ""))
    total = sum(_bytes(value) for _, value in fields)
    pickled, dumping, loading = _pickling(batch)
    return LoaderCost(
        name=type(loader).__name__,
        line=line,
        workers=loader.num_workers,
        batch_size=loader.batch_size,
        batch_bytes=total,
        sample_bytes=total // (batch_length(batch) or 1),
        fields=tuple(f"{name or 'batch'}: {_text(value)}" for name, value in fields[:MOST_FIELDS]),
        pickled_bytes=pickled,
        pickle_seconds=dumping,
        unpickle_seconds=loading,
    )


def _pickling(batch: Any) -> tuple[int, float, float]:
    """Bytes and seconds of what workers do with a batch: tensors go to shared memory, the rest through a pipe."""
    before = random.getstate()
    times = []
    size = 0
    for _ in range(ROUNDS):
        # A copy: the tensors of the program must not move to shared memory.
        copied = _copied(batch)
        buffer = BytesIO()
        started = perf_counter()
        try:
            ForkingPickler(buffer, 2).dump(copied)
            middle = perf_counter()
            ForkingPickler.loads(buffer.getvalue())
        except Exception:  # of the user's own objects, which may be anything
            return 0, 0.0, 0.0
        times.append((middle - started, perf_counter() - middle))
        size = len(buffer.getvalue())
    random.setstate(before)
    return size, min(dump for dump, _ in times), min(load for _, load in times)


def _copied(value: Any) -> Any:
    if isinstance(value, Tensor):
        return value.detach().cpu().clone()
    if type(value) in (list, tuple):
        return type(value)(_copied(each) for each in value)
    if type(value) is dict:
        return {key: _copied(each) for key, each in value.items()}
    return value


def _fields(value: Any, name: str) -> Any:
    if isinstance(value, (list, tuple)) and not all(isinstance(each, (str, bytes, int, float)) for each in value):
        for number, each in enumerate(value):
            yield from _fields(each, f"{name}[{number}]")
    elif hasattr(value, "items"):
        for key, each in value.items():
            yield from _fields(each, f"{name}[{key!r}]")
    else:
        yield name, value


def _bytes(value: Any) -> int:
    if isinstance(value, Tensor):
        return value.numel() * value.element_size()
    if isinstance(value, (list, tuple)):
        return sum(len(each) if isinstance(each, (str, bytes)) else 8 for each in value)
    return len(value) if isinstance(value, (str, bytes)) else 8


def _text(value: Any) -> str:
    if not isinstance(value, Tensor):
        return f"{type(value).__name__}" + (f" of {len(value)}" if isinstance(value, (list, tuple)) else "")
    text = f"{str(value.dtype).removeprefix('torch.')}{list(value.shape)}"
    return f"{text}, {smaller}" if (smaller := _smaller(value)) else text


def _smaller(value: Tensor) -> str:
    """A smaller type that holds the same values."""
    if value.device.type != "cpu" or not value.numel() or value.is_complex() or value.is_quantized:
        return ""
    if value.dtype == torch.int64:
        low, high = (int(each) for each in value.aminmax())
        return "uint8 would hold it" if low >= 0 and high <= 255 else ""
    if value.dtype not in (torch.float32, torch.float64):
        return ""
    scaled = value.double() * 255
    if (
        bool(((scaled - scaled.round()).abs() < 1e-3).all())
        and float(scaled.min()) >= 0
        and float(scaled.max()) <= 255.5
    ):
        return "uint8 would hold it (steps of 1/255)"
    return "float32 would do" if value.dtype == torch.float64 else ""
