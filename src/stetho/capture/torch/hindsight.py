"""Puts together what looks back at a step: autopsies, tracing, bundles and breakpoints, as the options ask for."""

from stetho.capture.guard import Guard
from stetho.capture.lines import Lines
from stetho.capture.recorder import Recorder
from stetho.capture.step import Clock
from stetho.capture.torch.autopsy.autopsy import Autopsies
from stetho.capture.torch.autopsy.tracing import Tracing
from stetho.capture.torch.breaks import Breaks
from stetho.capture.torch.bundle.black_box import BlackBox
from stetho.capture.torch.calls.forward import Forward
from stetho.capture.torch.models.models import Models
from stetho.capture.torch.updates.optimizers import Optimizers
from stetho.config import Options
from stetho.records import Voice


def make_autopsies(
    options: Options,
    guard: Guard,
    clock: Clock,
    recorder: Recorder,
    voice: Voice,
    parts: tuple[Forward, Optimizers, Lines, Models],
) -> Autopsies:
    """The autopsies of a run, with all that hangs on them."""
    forward, optimizers, lines, models = parts
    box = BlackBox(clock, recorder, optimizers, voice)
    return Autopsies(
        guard,
        clock,
        forward,
        optimizers,
        lines,
        Breaks(options.break_at, clock, guard, recorder, voice, optimizers, box.write),
        tracing=Tracing(options.trace_from, guard, models, recorder, with_values=options.trace_values)
        if options.trace_from
        else None,
        write_bundle=box.write if options.bundle else None,
    )
