"""Writes a bundle of the step under way at a fault or a spike of the loss, when the user has asked for it."""

from collections import deque
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from stetho.capture.environment import surroundings
from stetho.capture.recorder import Recorder
from stetho.capture.step import Clock
from stetho.capture.torch.autopsy.kept import Event
from stetho.capture.torch.bundle.writing import TooLarge, write_bundle
from stetho.capture.torch.updates.optimizers import Optimizers
from stetho.records import Voice

ROWS_KEPT = 32
MOST_BUNDLES = 3

REASONS = {
    "loss": "its loss is not finite",
    "gradient": "its gradient is not finite",
    "skipped": "the scaler skips update after update",
    "dump": "as you asked",
}
"""What a trigger is called where people read it."""


class BlackBox:
    """Keeps the last rows of the training, and writes bundles."""

    def __init__(self, clock: Clock, recorder: Recorder, optimizers: Optimizers, voice: Voice) -> None:
        self._clock = clock
        self._recorder = recorder
        self._optimizers = optimizers
        self._voice = voice
        self._rows: deque[dict[str, object]] = deque(maxlen=ROWS_KEPT)
        self._written = 0
        clock.on_end.append(self._rows.append)

    def write(self, reason: str, step: int, events: list[Event], fault: Mapping[str, Any]) -> str | None:
        """Write one; gives its folder, None where it could not be written, which is said."""
        if self._written >= MOST_BUNDLES or not events:
            return None
        self._written += 1
        folder = self._recorder.writer.path / f"bundle-step-{step:08d}"
        facts = {
            "step": step,
            "reason": reason,
            "loss_limit": self._clock.loss_limit,
            "batch_size": fault.get("batch_size") or self._clock.step.batch_size,
            "births": [dict(fault)] if fault.get("operation") else [],
            "environment": surroundings(),
            "rows": [_plain(row) for row in self._rows],
        }
        try:
            content = write_bundle(folder, events, facts, self._optimizers.alive())
        except (TooLarge, OSError, ValueError, TypeError, RuntimeError) as problem:
            self._voice.say(f"no bundle of step {step}: {problem}")
            return None
        place = _from_here(folder)
        why = REASONS.get(reason, reason)
        self._voice.say(
            f"step {step} ({why}) is in {place}: batch, parameters, optimizer state and source of the model, "
            f"{_size(content['bytes'])}; run it again with: stetho replay {place}"
        )
        if content["left_out"]:
            self._voice.say(f"left out of it: {', '.join(content['left_out'][:5])}")
        return str(folder)


def _from_here(folder: Path) -> Path:
    """As one would type it."""
    here = Path.cwd()
    return folder.relative_to(here) if folder.is_relative_to(here) else folder


def _size(count: int) -> str:
    return f"{count / 2**20:.1f} MiB" if count >= 2**20 else f"{count / 2**10:.1f} KiB"


def _plain(row: dict[str, object]) -> dict[str, object]:
    """Numbers that still lie on a device are not waited for."""
    return {key: value for key, value in row.items() if isinstance(value, (int, float, str, bool, list, type(None)))}
