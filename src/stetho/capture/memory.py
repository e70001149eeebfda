"""Host memory of this process and its children, read in the background."""

from collections.abc import Iterator
from typing import Any

from stetho.capture.processes import has_children

SAMPLED_CHILDREN = 64


class MemoryReader:
    """Reads memory; the costly share-aware numbers (PSS, USS) only now and then unless asked for."""

    def __init__(self, *, dense: bool) -> None:
        import psutil

        self._psutil = psutil
        self._process = psutil.Process()
        self._dense = dense
        self._reads = 0

    def read(self) -> Iterator[dict[str, object]]:
        """One row for each process."""
        detailed = self._dense or self._reads % 10 == 0
        self._reads += 1
        yield self._row(self._process, "main", detailed)
        for child in self._children():
            try:
                yield self._row(child, child.name(), detailed)
            except self._psutil.Error:
                continue  # it ended while we looked

    def _children(self) -> list[Any]:
        if not has_children():
            return []
        try:
            return list(self._process.children(recursive=True))[:SAMPLED_CHILDREN]
        except self._psutil.Error:
            return []

    def _row(self, process: Any, name: str, detailed: bool) -> dict[str, object]:
        row: dict[str, object] = {"pid": process.pid, "process": name}
        if not detailed:
            return row | {"rss": process.memory_info().rss}
        try:
            full = process.memory_full_info()
        except self._psutil.AccessDenied:
            return row | {"rss": process.memory_info().rss}
        return row | {"rss": full.rss, "pss": getattr(full, "pss", None), "uss": getattr(full, "uss", None)}
