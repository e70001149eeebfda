"""How a process that was started for a comparison came to its end, in words, with what to do about it."""

import re
import signal

from stetho.errors import error_line

ILLEGAL = (
    "a kernel of torch uses instructions that this processor does not have, as those for bfloat16; set"
    " ONEDNN_MAX_CPU_ISA=AVX512_CORE, or AVX2, in the environment and do the same again"
)
KILLED = "most often for want of memory: take smaller batches or a smaller model"
DEATHS = {
    signal.SIGILL: ("an illegal instruction", ILLEGAL),
    signal.SIGSEGV: ("a segmentation fault", "run the program with `stetho run` to see the stack"),
    signal.SIGBUS: ("a bus error", "run the program with `stetho run` to see the stack"),
    signal.SIGFPE: ("a floating-point exception", "run the program with `stetho run` to see the stack"),
    signal.SIGABRT: ("an abort", "run the program with `stetho run` to see the stack"),
    signal.SIGKILL: ("a kill", KILLED),
}
_PLACE = re.compile(r"^stetho: .* · (\S+:\d+)$", re.MULTILINE)
_FRAME = re.compile(r'^  File "([^"]+)", line (\d+) in', re.MULTILINE)


def death_of(status: int, log: str) -> str | None:
    """What a process died of, given its exit status and standard error; None if no signal ended it.

    >>> death_of(-4, "")[:60]
    'the process died of an illegal instruction (SIGILL): a kerne'
    >>> death_of(1, "") is None
    True
    """
    if status >= 0:
        return None
    try:
        which = signal.Signals(-status)
    except ValueError:
        return f"the process died of signal {-status}"
    what, then = DEATHS.get(which, ("a signal", "something outside of it ended it"))
    return f"the process died of {what} ({which.name}){_place_in(log)}: {then}"


def last_words(log: str) -> str:
    """The line of a log that names the error.

    >>> last_words("")
    'it wrote nothing'
    """
    return error_line(log) or "it wrote nothing"


def _place_in(log: str) -> str:
    """The line of the program at which a process died, as the witness of a run says it or Python itself."""
    if told := _PLACE.search(log):
        return f" at {told[1]}"
    own = [frame for frame in _FRAME.findall(log) if "site-packages" not in frame[0] and "<" not in frame[0]]
    return f" at {own[0][0]}:{own[0][1]}" if own else ""
