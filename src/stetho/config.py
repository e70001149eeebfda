"""The options of a watched run: one table for the command line, `[tool.stetho]`, `stetho.watch` and the documentation.

Every field of `Options` carries its own flag, reader and one-sentence meaning; nothing of an option stands elsewhere.
Values win in this order: given by the caller, `[tool.stetho]` of the nearest pyproject.toml, the default.
"""

import difflib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal

from stetho import option_values as values
from stetho.errors import UsageError
from stetho.project_file import nearest_project_file, read_project_file

CHECKS_TABLE = "checks"
MOST_NAMES = 60
"""More are a page rather than a help, where one of them is close."""


@dataclass(frozen=True, slots=True)
class Option:
    """What is known about one option besides its value.

    >>> OPTIONS["every"].flags
    ('--every',)
    >>> OPTIONS["every"].read("10")
    10
    """

    name: str
    flags: tuple[str, ...]
    read: Callable[[object], object]
    default: object
    metavar: str | None
    help: str
    is_switch: bool
    is_counted: bool
    is_repeatable: bool


def _option(default: Any, read: Callable[[Any], Any], help: str, *flags: str, metavar: str | None = None) -> Any:
    """A field of `Options`; without flags it can be set in pyproject.toml and in Python only."""
    return field(default=default, metadata={"read": read, "flags": flags, "metavar": metavar, "help": help})


@dataclass(frozen=True, slots=True)
class Options:
    """The options of one watched run, checked and complete.

    >>> Options(every=10).budget
    0.05
    """

    every: int | None = _option(
        None,
        values.count,
        "Take full statistics every N steps (0: never); without it, as often as the budget allows.",
        "--every",
        metavar="N",
    )
    budget: float = _option(
        0.05,
        values.share,
        "The share of wall time that watching may take, as 5% or 0.05.",
        "--budget",
        metavar="SHARE",
    )
    layers: tuple[str, ...] = _option(
        ("*",),
        values.patterns,
        "Watch only layers whose name matches, as encoder.* (comma separated, repeatable).",
        "--layers",
        metavar="PATTERN",
    )
    gradients: str = _option(
        "all",
        values.one_of("all", "parameters"),
        "Measure gradients of parameters and activations (all), or of parameters alone.",
        "--gradients",
        metavar="all|parameters",
    )
    verbose: int = _option(0, values.count, "Print a line for each step; twice: with more detail.", "-v", "--verbose")
    quiet: bool = _option(False, values.switch, "Print no status line and no summary.", "-q", "--quiet")
    memory: bool = _option(
        False, values.switch, "Sample memory densely, and for each child process and device.", "--memory"
    )
    dump: tuple[str, ...] = _option(
        (),
        values.dumps,
        "Save matching tensors of chosen steps, as encoder.*@1,10,100-200; of step 1 without @ (repeatable).",
        "--dump",
        metavar="PATTERN[@STEPS]",
    )
    print: tuple[str, ...] = _option(
        (),
        values.patterns,
        "Print the output of matching layers as one readable line (comma separated, repeatable).",
        "--print",
        metavar="PATTERN",
    )
    shapes: bool = _option(False, values.switch, "Print the shape of a layer's output when it is new.", "--shapes")
    tensorboard: bool = _option(
        False, values.switch, "Write TensorBoard event files into the run as well.", "--tensorboard"
    )
    startup: str | None = _option(
        None,
        values.function_name,
        "Call this function once before the first step, as package.module:function.",
        "--startup",
        metavar="MODULE:FUNCTION",
    )
    eager: bool = _option(
        False, values.switch, "Run compiled regions eagerly, so that their layers can be seen.", "--eager"
    )
    variant: str | None = _option(
        None, values.way, "Train as: compiled, bf16, fp16, float64, checkpointing, or a device.", "--as", metavar="WAY"
    )
    deterministic: bool = _option(
        False,
        values.switch,
        "Seed everything, ask for deterministic algorithms, and list the randomness that is left.",
        "--deterministic",
    )
    steps: int | None = _option(
        None, values.positive_number, "End the program cleanly after N steps.", "--steps", metavar="N"
    )
    dry_run: bool = _option(
        False, values.switch, "Make one step, the first of every optimizer, look at all of it, and end.", "--dry-run"
    )
    break_at: tuple[str, ...] = _option(
        (),
        values.conditions,
        'Open a shell right before an update: nan, the name of a check, or as in "loss > 10" (repeatable).',
        "--break",
        metavar="CONDITION",
    )
    pdb: bool = _option(False, values.switch, "Open the Python debugger at an error that nobody catches.", "--pdb")
    bundle: bool = _option(
        False,
        values.switch,
        "At a fault or a spike of the loss, write that step (batch, parameters, optimizer, source) for stetho replay.",
        "--bundle",
    )
    hang: float | None = _option(
        None,
        values.positive_seconds,
        "Print the stacks of the program and its children when no step ends for so many seconds; ends nothing.",
        "--hang",
        metavar="SECONDS",
    )
    out: str = _option("stetho-runs", values.folder, "The folder that runs are recorded into.", "--out", metavar="DIR")
    name: str | None = _option(
        None,
        values.folder_name,
        "The name of the run; without it, the name of the program.",
        "--name",
        metavar="NAME",
    )
    select: tuple[str, ...] = _option(
        (),
        values.patterns,
        "Run only these checks: names, families, or patterns such as *-gradient (comma separated, repeatable).",
        "--select",
        metavar="CHECK",
    )
    ignore: tuple[str, ...] = _option(
        (),
        values.patterns,
        "Leave these checks out: names, families, or patterns (comma separated, repeatable).",
        "--ignore",
        metavar="CHECK",
    )
    preview: bool = _option(
        False, values.switch, "Run the preview checks too, whose thresholds may change.", "--preview"
    )
    check_files: tuple[str, ...] = _option(
        (), values.files, "Run the checks of this Python file as well (repeatable).", "--checks", metavar="FILE"
    )
    json_file: str | None = _option(
        None, values.file, "Write the findings into this file, as JSON.", "--json", metavar="FILE"
    )
    fail_on: Literal["error", "warning"] | None = _option(
        None,
        values.one_of("error", "warning"),
        "Exit with status 3 when a finding is at least so bad and the program itself ended with 0.",
        "--fail-on",
        metavar="error|warning",
    )
    checks: Mapping[str, Mapping[str, object]] | None = _option(
        None, values.tables, "Options of single checks, a table for each: [tool.stetho.checks.<name>]."
    )
    finite: bool = _option(
        False,
        values.switch,
        "Look at every layer output, gradient and parameter of every step for NaN and Inf, whatever the budget.",
        "--finite",
    )
    trace_from: int | None = _option(
        None, values.positive_number, "Look at every operation from this step on, as `stetho trace` does."
    )
    trace_values: bool = _option(
        False, values.switch, "Write the results of every traced operation too, as `stetho trace --values` does."
    )
    grace_steps: int = _option(
        100, values.count, "So many steps at the beginning are watched fully, outside the budget."
    )
    grace_seconds: float = _option(
        5.0, values.seconds, "So many seconds of watching (processor time) at the beginning are outside the budget."
    )


def _table() -> dict[str, Option]:
    return {
        entry.name: Option(
            name=entry.name,
            flags=entry.metadata["flags"],
            read=entry.metadata["read"],
            default=entry.default,
            metavar=entry.metadata["metavar"],
            help=entry.metadata["help"],
            is_switch=entry.metadata["read"] is values.switch,
            is_counted=entry.metadata["read"] is values.count and entry.metadata["metavar"] is None,
            is_repeatable=isinstance(entry.default, tuple),
        )
        for entry in fields(Options)
    }


OPTIONS: Mapping[str, Option] = _table()
"""Every option by its name, in the order in which they are shown."""


def read_options(given: Mapping[str, object], *, start: Path) -> Options:
    """The options of a run: what was given, then the nearest pyproject.toml at or above `start`, then the defaults.

    >>> read_options({"budget": "2%"}, start=Path("/")).budget
    0.02
    """
    file = nearest_project_file(start)
    settings = read_project_file(file) if file else {}
    known = _checked(settings, origin=f"; in [tool.stetho] of: {file}")
    return Options(**{**known, **_checked(given, as_typed=True)})


def make_options(**given: object) -> Options:
    """The options of a run from Python alone, without any pyproject.toml.

    >>> make_options(layers="encoder.*, head").layers
    ('encoder.*', 'head')
    """
    return Options(**_checked(given))


def unknown_name(kind: str, name: str, known: Iterable[str]) -> str:
    """The message for a name that is not one of the known ones.

    >>> unknown_name("option", "--evry", ["--every", "--out"])
    'unknown option `--evry`, did you mean `--every`? Known: --every, --out'
    """
    names = list(known)
    close = difflib.get_close_matches(name, names, n=1)
    guess = f", did you mean `{close[0]}`?" if close else ";"
    if close and len(names) > MOST_NAMES:
        return f"unknown {kind} `{name}`{guess}"
    return f"unknown {kind} `{name}`{guess} {'Known' if close else 'known'}: {', '.join(names)}"


def _checked(given: Mapping[str, object], origin: str = "", *, as_typed: bool = False) -> dict[str, Any]:
    checked = {}
    for name, value in given.items():
        option = OPTIONS.get(name)
        if option is None:
            raise UsageError(unknown_name("option", name, OPTIONS) + origin)
        try:
            checked[name] = option.read(value)
        except ValueError as error:
            # On the command line an option has its flag for a name, and is given anew for each of its values.
            called = option.flags[0] if as_typed and option.flags else name
            one = value[0] if as_typed and isinstance(value, list) and len(value) == 1 else value
            raise UsageError(f"`{called}` (={one!r}) {error}{origin}") from None
    return checked
