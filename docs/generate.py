"""Write the reference pages out of the code, so that they cannot differ from it.

python docs/generate.py            writes the pages
python docs/generate.py --check    exits with 1 when a page on disk is not what the code says
"""

import ast
import inspect
import os
import re
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from pathlib import Path
from types import FunctionType

import stetho
from stetho.__main__ import overview
from stetho.checks import CATALOG
from stetho.checks.figures import read_figures
from stetho.commands import COMMANDS, load
from stetho.commands.parser import parser_of
from stetho.config import OPTIONS, Option
from stetho.findings.document import FORMAT, SCHEMA_FILE
from stetho.stats.catalogue import MEASURES, ROLES
from stetho.views.check_page import page_markdown

REFERENCE = Path(__file__).parent / "reference"
MEMBERS = (FunctionType, property, cached_property)
NOTICE = "<!-- Written by docs/generate.py; change the code, then run `make docs`. -->\n\n"


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A Markdown table."""
    lines = [list(head), ["---"] * len(list(head)), *map(list, rows)]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines) + "\n"


def code(text: str) -> str:
    return f"`{text}`"


def command_line() -> str:
    """Every command with its help text, as `--help` prints it."""
    parts = ["# Command line\n", f"```text\n{overview()}\n```\n"]
    parts += [f"## stetho {name}\n\n```text\n{parser_of(load(name)).format_help()}```\n" for name in COMMANDS]
    return "\n".join(parts)


def options() -> str:
    """The options of a watched run, from the one table that drives them all."""

    def default(option: Option) -> str:
        if option.default is None or option.default == ():
            return "none"
        if isinstance(option.default, tuple):
            return code(", ".join(option.default))
        return code(str(option.default).lower() if option.is_switch else str(option.default))

    def flags(option: Option) -> str:
        return ", ".join(map(code, option.flags)) + (f" {code(option.metavar)}" if option.metavar else "")

    rows = [[code(each.name), flags(each), default(each), each.help] for each in OPTIONS.values()]
    return f"""# Options

The same options serve three places: the command line (`stetho run --every 10`), the table `[tool.stetho]` of the
nearest `pyproject.toml` (`every = 10`), and Python (`stetho.watch(model, every=10)`). `stetho run` takes what the
command line says, then what the file says, then the default; `stetho.watch` does not read the file. An unknown name is
an error that lists the known ones. Options without a flag are for the file and for Python.

{table(["name", "flag", "default", "meaning"], rows)}"""


def stats() -> str:
    """Roles and measures, from the catalogue."""
    roles = [[code(role.name), role.subject, role.tier, role.meaning] for role in ROLES]
    measures = [[code(measure.name), measure.unit, measure.cost, measure.meaning] for measure in MEASURES]
    return f"""# Stats

A stat is named `role.measure`: `act.rms` is the root mean square of a layer's output, `grad.absmax` the largest
magnitude in a parameter's gradient. In the table `stats` the role is a column, and each measure is a column.

## Roles

{table(["role", "of a", "tier", "meaning"], roles)}
## Measures

{table(["measure", "unit", "cost", "meaning"], measures)}"""


def checks() -> str:
    """The page of every check, family by family, from the docstrings that `stetho explain` prints."""
    figures = read_figures()
    parts = [
        "# Checks",
        "Every check, with the text that `stetho explain NAME` prints. `--select` and `--ignore` choose among them;\n"
        "`[tool.stetho.checks.NAME]` in `pyproject.toml` sets the options of one.",
    ]
    for family in sorted({check.family for check in CATALOG}):
        parts.append(f"## {family.capitalize()}")
        parts += [page_markdown(check, figures.get(check.name)) for check in CATALOG if check.family == family]
    return "\n\n".join(parts)


def findings() -> str:
    """The JSON of findings: its fields in a table, and the whole schema."""
    schema = SCHEMA_FILE.read_text(encoding="utf-8").rstrip()
    return f"""# Findings

`stetho run --json FILE` and `stetho check --json FILE` write this document. Findings are ranked, causes first, and
symptoms are nested in the cause that explains them. `format` is raised by a change that readers must know of; the
present one is {FORMAT}. The file `findings.jsonl` of a run holds one finding a line, with `step`, the number of steps
when it was found, and `is_final`, true for those of the verdict at the end.

```json
{schema}
```"""


def python_names() -> str:
    """The public names with their docstrings."""
    parts = ["# Python\n", "Everything public is a name of the package `stetho`; all else may change without notice.\n"]
    for name in sorted(stetho.__all__, key=str.lower):
        value = getattr(stetho, name)
        if not isinstance(value, str):
            parts.extend(describe(f"stetho.{name}", value, "##"))
    return "\n".join(parts)


def describe(name: str, value: object, heading: str) -> Iterator[str]:
    """Heading, signature and docstring of a name; of a class also its public members."""
    yield f"{heading} {name}\n"
    if inspect.isfunction(value):
        yield f"```text\n{name}{signature(value)}\n```\n"
    yield fenced(inspect.getdoc(value) or "")
    if isinstance(value, type) and not issubclass(value, Exception):
        for member, attribute in vars(value).items():
            if not member.startswith("_") and isinstance(attribute, MEMBERS):
                yield from describe(f"{value.__name__}.{member}", attribute, heading + "#")


def signature(function: FunctionType) -> str:
    """The arguments and the result as they are written in the source; types keep their short names."""
    definition = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    assert isinstance(definition, ast.FunctionDef)
    definition.args.args = [argument for argument in definition.args.args if argument.arg != "self"]
    result = ast.unparse(definition.returns).strip("'") if definition.returns else "None"
    arguments = re.sub(r"(: [^=,]+)=", r"\1 = ", ast.unparse(definition.args))
    return f"({arguments}) -> {result}"


def fenced(docstring: str) -> str:
    """A docstring as Markdown: its examples become code blocks."""
    paragraphs = docstring.split("\n\n")
    return "".join(f"```pycon\n{part}\n```\n\n" if part.startswith(">>>") else f"{part}\n\n" for part in paragraphs)[
        :-1
    ]


PAGES: dict[str, Callable[[], str]] = {
    "command-line.md": command_line,
    "options.md": options,
    "stats.md": stats,
    "checks.md": checks,
    "findings.md": findings,
    "python.md": python_names,
}


def main() -> int:
    """Write the pages, or with --check compare them."""
    os.environ["COLUMNS"] = "100"  # argparse folds help texts to the width of the terminal
    stale = []
    for name, make in PAGES.items():
        page = REFERENCE / name
        text = NOTICE + make().rstrip() + "\n"
        if not page.exists() or page.read_text(encoding="utf-8") != text:
            stale.append(name)
            if "--check" not in sys.argv:
                page.write_text(text, encoding="utf-8")
    if stale and "--check" in sys.argv:
        print(f"stale pages: {', '.join(stale)}; run: make docs", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
