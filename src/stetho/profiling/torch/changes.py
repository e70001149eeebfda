"""Changes of the settings that can be tried while the program's own loop runs: each can be begun, and taken back."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Any

import torch
from torch.utils.data import DataLoader, IterableDataset

from stetho.profiling.torch.loop import Loop
from stetho.profiling.torch.rehearsal import fatal_signal, products_of_bfloat16
from stetho.profiling.torch.shrinking import Shrinking, is_worthwhile, restored
from stetho.profiling.verdict import AS_IT_IS

MOST_WORKERS = 8


class Change:
    """One setting. `lasting` steps at its beginning are not counted: what was prepared before it is used up in them."""

    def __init__(self, setting: str, begin: Callable[[ExitStack], None] = lambda _: None, *, settling: int = 2) -> None:
        self.setting = setting
        self.settling = settling
        self._begin = begin
        self._undo = ExitStack()

    def begin(self) -> None:
        """From the next step on it is so."""
        self._begin(self._undo)

    def end(self) -> None:
        """It is as it was."""
        self._undo.close()


def proposals(loop: Loop, device: str, *, cores: int, input_first: bool, batch: Any = None) -> list[Change]:
    """What is worth a try, the safest and most promising first; the first one changes nothing, to compare with."""
    loader = loop.loader
    loading = list(_loading(loop, loader, device, cores, batch)) if loader is not None else []
    computing = [*_threads(device, cores), _half_precision(device)]
    # A batch that is too large can end the program, so that comes last.
    sizes = list(_sizes(loop, loader)) if loader is not None else []
    order = [*loading, *computing, *sizes] if input_first else [*computing[:-1], *loading, computing[-1], *sizes]
    return [Change(AS_IT_IS, settling=0), *order]


def _loading(loop: Loop, loader: Any, device: str, cores: int, batch: Any) -> Sequence[Change]:
    counts = [n for n in (0, 1, 2, 4, 8) if n <= max(cores, 1) and n <= MOST_WORKERS and n != loader.num_workers]
    found = [_other_loader(loop, loader, f"num_workers={n}", num_workers=n) for n in counts]
    most = max([*counts, loader.num_workers])
    workers = f"num_workers={most}"
    if most:
        setting = f"{workers}, prefetch_factor=4"
        found.append(_other_loader(loop, loader, setting, num_workers=most, prefetch_factor=4))
    if most and is_worthwhile(batch):
        setting = f"{workers}, float16 between processes"
        collate = Shrinking(loader.collate_fn)
        found.append(_other_loader(loop, loader, setting, restored, num_workers=most, collate_fn=collate))
    if device != "cpu" and not loader.pin_memory:
        found.append(_other_loader(loop, loader, f"{workers}, pin_memory=True", num_workers=most, pin_memory=True))
    return found


def _sizes(loop: Loop, loader: Any) -> Sequence[Change]:
    size = loader.batch_size
    if size is None:
        return []
    wanted = [each for each in (size // 2, size * 2) if each >= 1]
    return [_other_loader(loop, loader, f"batch_size={each}", batch_size=each) for each in wanted]


def _other_loader(
    loop: Loop, loader: Any, setting: str, received: Callable[[Any], Any] = lambda batch: batch, **changed: Any
) -> Change:
    workers, prefetch = changed.get("num_workers", loader.num_workers), changed.get("prefetch_factor", 2)

    def begin(undo: ExitStack) -> None:
        other = rebuilt(loader, **changed)
        running = [iter(other)]

        def next_batch() -> Any:
            # At its end it ends the epoch of the program, as the program's own loader would.
            if not running:
                running.append(iter(other))
            try:
                return received(next(running[0]))
            except StopIteration:
                running.clear()
                raise

        def end() -> None:
            loop.substitute = None
            running.clear()  # the workers end with their iterator

        undo.callback(end)
        loop.substitute = next_batch

    return Change(setting, begin, settling=2 + workers * prefetch)


def rebuilt(loader: Any, **changed: Any) -> Any:
    """A loader like another one, with some settings changed.

    >>> rebuilt(DataLoader([1, 2, 3, 4], batch_size=2), batch_size=4).batch_size
    4
    """
    settings: dict[str, Any] = {
        name: getattr(loader, name)
        for name in ("num_workers", "collate_fn", "pin_memory", "timeout", "worker_init_fn", "generator")
    }
    workers = changed.get("num_workers", loader.num_workers)
    if workers:
        settings |= {
            "prefetch_factor": getattr(loader, "prefetch_factor", None) or 2,
            "multiprocessing_context": loader.multiprocessing_context,
        }
    else:
        settings["timeout"] = 0
    if loader.batch_size is None and loader.batch_sampler is not None:
        settings["batch_sampler"] = loader.batch_sampler
    else:
        settings |= {"batch_size": loader.batch_size, "drop_last": loader.drop_last and loader.batch_size is not None}
        if not isinstance(loader.dataset, IterableDataset):
            settings["sampler"] = loader.sampler
    return DataLoader(loader.dataset, **(settings | changed))


def _half_precision(device: str) -> Change:
    def begin(undo: ExitStack) -> None:
        killer = fatal_signal(products_of_bfloat16) if device == "cpu" else None
        if killer is not None:
            raise RuntimeError(f"a product of bfloat16 matrices ends a process with {killer} on this machine")
        was_on, dtype = torch.is_autocast_enabled(device), torch.get_autocast_dtype(device)
        torch.set_autocast_enabled(device, True)
        torch.set_autocast_dtype(device, torch.bfloat16)

        def end() -> None:
            torch.set_autocast_enabled(device, was_on)
            torch.set_autocast_dtype(device, dtype)
            torch.clear_autocast_cache()

        undo.callback(end)

    return Change("autocast to bfloat16", begin)


def _threads(device: str, cores: int) -> Sequence[Change]:
    if device != "cpu":
        return []
    now = torch.get_num_threads()

    def change(count: int) -> Change:
        def begin(undo: ExitStack) -> None:
            undo.callback(torch.set_num_threads, now)
            torch.set_num_threads(count)

        return Change(f"torch.set_num_threads({count})", begin)

    return [change(count) for count in sorted({1, cores}) if count != now]
