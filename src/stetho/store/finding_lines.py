"""The findings of a run on disk: one JSON object a line, on the disk itself before the call returns."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from stetho.store.documents import encode, read_lines
from stetho.store.format import FINDINGS_FILE


def append_findings(folder: Path, documents: Sequence[Mapping[str, Any]]) -> None:
    """Add findings to a run, so that they outlive a crash of the machine.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> append_findings(folder, [{"check": "loss-plateau", "step": 400}])
    >>> read_findings(folder)
    [{'check': 'loss-plateau', 'step': 400}]
    """
    if not documents:
        return
    descriptor = os.open(folder / FINDINGS_FILE, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    try:
        os.write(descriptor, b"".join(encode(dict(each)) for each in documents))
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def read_findings(folder: Path) -> list[dict[str, Any]]:
    """What was found, in the order in which it was found; `step` tells when, `is_final` what the end confirmed."""
    return read_lines(folder / FINDINGS_FILE)
