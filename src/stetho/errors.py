"""The error tree: what a user can meet, and the exit status each one maps to.

StethoError
├── UsageError          an option, a key or an argument is wrong            (exit 2)
├── RunError            a recorded run cannot be read                       (exit 2)
│   ├── RunNotFound     nothing there
│   ├── NotARun         something there, but no run
│   ├── RunDamaged      a run whose files contradict their own format
│   └── RunVersionError a run of a format that this version cannot read
├── CheckpointError     a checkpoint file cannot be read                    (exit 2)
│   ├── CheckpointDamaged   cut off, or contradicts its own format
│   └── CheckpointRefused   asks for something that weights never need: it may be hostile
├── MissingPackage      an optional package is needed for this command      (exit 2)
└── CaptureError        capture failed; stored in the run, never raised into a training program

A message says what happened with the value, the rule it broke, and the next move.
"""


class StethoError(Exception):
    """Base of every error that stetho raises on purpose."""

    exit_status = 2


class UsageError(StethoError):
    """An option, a configuration key or an argument has no meaning here."""


class RunError(StethoError):
    """A recorded run cannot be read."""


class RunNotFound(RunError):
    """There is no run at that place."""


class NotARun(RunError):
    """The folder exists but is not a run."""


class RunDamaged(RunError):
    """A file of the run contradicts the format it declares."""


class RunVersionError(RunError):
    """The run was written in a format that this version does not read."""


class CheckpointError(StethoError):
    """A checkpoint cannot be read."""


class CheckpointDamaged(CheckpointError):
    """A file of the checkpoint is cut off or contradicts the format it declares."""


class CheckpointRefused(CheckpointError):
    """A file of the checkpoint asks for something that weights never need; it is not read any further."""


class MissingPackage(StethoError):
    """An optional package is needed and not installed."""

    def __init__(self, package: str, purpose: str, extra: str) -> None:
        super().__init__(
            f"{purpose} needs the package `{package}`, which is not installed; run: pip install 'stetho[{extra}]'"
        )


class CaptureError(StethoError):
    """Capture failed. It is stored in the run and never reaches the training program."""


def kind_of(value: object) -> str:
    """What a value is, in a sentence.

    >>> kind_of(3), kind_of("text"), kind_of(None)
    ('an int', 'a str', 'None')
    """
    name = type(value).__name__
    return "None" if value is None else f"{'an' if name[0] in 'aeioAEIO' else 'a'} {name}"


LONGEST_LINE = 300
"""Of an error's message: some frameworks list every backend that they have in one line."""


def error_line(trace: str) -> str:
    """The line of a traceback that names its error; some messages go on for pages below it.

    >>> error_line("Traceback:\\n  File \\"a.py\\", line 1, in f\\n    g()\\nKeyError: 'a'\\nand more about it")
    "KeyError: 'a'"
    """
    lines = trace.strip().splitlines() or [""]
    frame = max((place for place, line in enumerate(lines) if line.startswith('  File "')), default=len(lines))
    found = next((line for line in lines[frame + 1 :] if line and not line.startswith(" ")), lines[-1])
    return found if len(found) <= LONGEST_LINE else f"{found[: LONGEST_LINE - 1]}…"
