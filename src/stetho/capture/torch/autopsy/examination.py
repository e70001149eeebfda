"""A step, or an evaluation, that was kept and went wrong: run once more, and told as plain data."""

from typing import Any

from torch import Tensor

from stetho.capture.torch.autopsy.births import Birth, births_of
from stetho.capture.torch.autopsy.changed import changed_gradient
from stetho.capture.torch.autopsy.copied import Copies
from stetho.capture.torch.autopsy.kept import Event, RootCall
from stetho.capture.torch.autopsy.ops import Source
from stetho.capture.torch.autopsy.outside import Outside, is_own
from stetho.capture.torch.autopsy.replay import Replay
from stetho.capture.torch.autopsy.states import unnoticed
from stetho.capture.torch.autopsy.tape import Tape
from stetho.capture.torch.autopsy.telling import Circumstances, told


def examined(
    trigger: str, now: Circumstances, *, whole: bool, bad: list[Tensor] | None = None
) -> tuple[dict[str, Any], Birth | None]:
    """Where the bad value of some events began: in their loss, in a gradient, or, in an evaluation, in `bad`."""
    events = now.events if trigger != "hidden" else now.events[:-1]
    models = [event.module for event in events if isinstance(event, RootCall)]
    functions = [op.func for event in events if isinstance(event, Tape) for op in event.ops if is_own(op.func)]
    with unnoticed(), Copies().put_back() as copies, Outside(models, functions).put_back() as outside:
        copies.borrow_parts(outside.modules)
        replay = Replay(copies)
        replay.run(events)
        births = births_of(_ends(trigger, replay, bad or []), replay.tracer.log.by_number)
        facts = {
            "operations": replay.tracer.count,
            "faithful": replay.faithful and whole,
            "batch_size": replay.batch,
            "others": max(len(births) - 1, 0),
            "repeated": outside.lasting,
        }
        if births:
            return facts | told(births[0], replay.batch, now), births[0]
        is_made_again = trigger == "gradient" and replay.rooted and replay.faithful
        return facts | {"phase": "unknown"} | (_changed(events, now) if is_made_again else {}), None


def _ends(trigger: str, replay: Replay, bad: list[Tensor]) -> list[Source]:
    if trigger == "hidden":
        hiding = [op for op in replay.tracer.log.ops if op.name == "nan_to_num"]
        return [source for op in hiding for source in op.sources if source.has_nan]
    return replay.ends_at(bad) if trigger == "evaluation" else replay.ends


def _changed(events: list[Event], now: Circumstances) -> dict[str, Any]:
    return changed_gradient(events, now.lines.found.get("step", [None])[-1])
