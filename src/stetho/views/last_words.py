"""What is told below the summary of a run that came to a bad end: the explanation of its error, or how it died."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, TextIO

from stetho.capture.bystander import after
from stetho.capture.crash_place import crash_place, failing_thread, tidied
from stetho.capture.native_stack import drawn, parted
from stetho.explaining.report import ErrorReport
from stetho.store import loose
from stetho.views import text
from stetho.views.error import Line, explanation_lines, labelled
from stetho.views.summary_lines import short_place

if TYPE_CHECKING:
    from stetho.store.reader import Run


def print_last_words(run: "Run", file: TextIO) -> None:
    """Draw them on a stream; nothing for a run that ended well."""
    from rich.text import Text

    from stetho.views.console import console_for

    console = console_for(file)
    lines = list(last_words(run, console.width))
    for line, style in [("", ""), *lines] if lines else []:
        console.print(Text(line, style=style))


def last_words(run: "Run", width: int) -> Iterator[Line]:
    """The lines for a run."""
    for crash in run.crashes:
        if crash.get("kind") in ("crash", "hang"):
            yield from _dump(crash if "raw" not in crash else _read(crash, run), width)
    if run.state == "killed" and not any(crash.get("kind") == "crash" for crash in run.crashes):
        yield from labelled("killed", _killed(run), width, "bold")
    report = ErrorReport.read(run.error) if run.error else None
    if report is not None and report.explanation is not None:
        yield from explanation_lines(report.explanation, width)
    if report is not None:
        yield "  values      stetho show --error", "dim"


def _read(crash: Mapping[str, Any], run: "Run") -> dict[str, Any]:
    """What a dying process wrote by itself, taken apart as its witness would have done."""
    native, stacks = parted(str(crash["raw"]))
    where, layers = crash_place(stacks, run.path)
    return dict(crash) | {"stacks": tidied(stacks), "native": native, "where": where, "layers": layers}


def _dump(crash: Mapping[str, Any], width: int) -> Iterator[Line]:
    """The stacks that a dying or hanging process wrote: where it was, and the thread that matters."""
    layers = [each for each in crash.get("layers") or [] if isinstance(each, str)]
    what = loose.line(crash.get("error")) or "no step for a long time"
    if signal := loose.line(crash.get("signal")):
        what += f" ({signal})"
    words = f"{what} {after(loose.whole(crash.get('step')) or 0)}"
    if layers:
        words += f", in layer {' or '.join(f'`{layer}`' for layer in layers)}"
    if where := loose.line(crash.get("where")):
        words += f" · {short_place(where)}"
    yield from labelled("crash" if crash.get("kind") == "crash" else "hang", words, width, "bold")
    for line in failing_thread(str(crash.get("stacks") or "")).strip().splitlines():
        yield text.clipped(f"    {shortened(line, width - 4)}", width), "dim"
    for line in drawn([each for each in crash.get("native") or [] if isinstance(each, str)]):
        yield text.clipped(f"    {line}", width), "dim"


def shortened(frame: str, width: int) -> str:
    """A line of a stack; of a long path the end is kept, and the line number with it.

    >>> shortened('  File "/home/me/.venv/lib/site-packages/torch/nn/modules/module.py", line 1832 in inner', 60)
    '  File "…/torch/nn/modules/module.py", line 1832 in inner'
    """
    head, quote, rest = frame.partition('"')
    path, _, place = rest.partition('"')
    parts = path.split("/")
    while len(frame) > width and len(parts) > 2:
        parts = ["…", *parts[2:]]
        frame = f"{head}{quote}{'/'.join(parts)}{quote}{place}"
    return frame


def _killed(run: "Run") -> str:
    """When a program was killed, and what its memory was like."""
    steps = run.table("steps")["step"].to_pylist()
    gone: dict[str, Any] = next((crash for crash in reversed(run.crashes) if crash.get("kind") == "gone"), {})
    last = loose.whole(gone.get("step")) or (steps[-1] if steps else 0)
    words = [after(last) + (f", recorded up to {text.count(steps[-1])}" if steps else "")]
    memory = run.table("memory")
    main = [size for size, process in zip(memory["rss"].to_pylist(), memory["process"].to_pylist(), strict=True)
            if process == "main" and size is not None]  # fmt: skip
    total = loose.whole(gone.get("memory_limit")) or loose.whole(loose.mapping(run.info.get("machine")).get("memory"))
    if main:
        words.append(f"memory was {text.size(main[-1])} of {text.size(total)}")
    if loose.whole(gone.get("killed_for_memory")):
        words.append("the system killed a process for want of memory at that time")
    return "; ".join(words)
