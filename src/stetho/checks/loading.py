"""All checks there are: the catalogue, those of installed packages (entry points `stetho.checks`), those of a file."""

import importlib.util
import os
from collections.abc import Iterable, Iterator, Sequence
from importlib import metadata
from pathlib import Path

from stetho.checks import CATALOG
from stetho.checks.declare import Check
from stetho.checks.grammar import problems_of
from stetho.errors import UsageError, kind_of

ENTRY_POINTS = "stetho.checks"


def load_checks(files: Sequence[str] = ()) -> tuple[Check, ...]:
    """Ours first, then those of packages and files; each of them is held to the rules, and a name belongs to one."""
    own = [*_from_packages(), *(check for file in files for check in _from_file(file))]
    for check in own:
        problems = problems_of(check)
        if problems:
            raise UsageError(f"the check `{check.name}` cannot be used: {problems[0]}; mend: {check.owner}")
    return tuple(_each_name_once((*CATALOG, *own)))


def _each_name_once(checks: Iterable[Check]) -> Iterator[Check]:
    owners: dict[str, Check] = {}
    for check in checks:
        other = owners.setdefault(check.name, check)
        if other is not check:
            raise UsageError(
                f"two checks are called `{check.name}`; rename one of them: {other.owner} and {check.owner}"
            )
        yield check


def _from_packages() -> Iterator[Check]:
    for entry in metadata.entry_points(group=ENTRY_POINTS):
        try:
            found = entry.load()
        except Exception as error:
            raise UsageError(
                f"the checks of the entry point `{entry.name}` cannot be loaded ({type(error).__name__}: {error}); "
                f"mend or uninstall: {entry.value}"
            ) from error
        yield from _checks_in(found, f"the entry point `{entry.name}` ({entry.value})")


def _from_file(file: str) -> Iterator[Check]:
    path = Path(os.path.abspath(file))
    if not path.is_file():
        raise UsageError(f"no such file with checks; give a Python file to --checks: {file}")
    name = f"stetho_checks_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise UsageError(f"not a Python file; --checks takes a file that ends with .py: {file}")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise UsageError(f"the checks cannot be loaded ({type(error).__name__}: {error}); mend: {file}") from error
    # What the file imports from elsewhere is not its own.
    found = [each for each in vars(module).values() if isinstance(each, Check) and each.function.__module__ == name]
    if not found:
        raise UsageError(f"there is no check; decorate a function with stetho.checks.declare.check: {file}")
    yield from found


def _checks_in(found: object, origin: str) -> Iterator[Check]:
    several = [found] if isinstance(found, Check) else found
    if not isinstance(several, Iterable):
        raise UsageError(f"{origin} is {kind_of(found)}; it should be a check or a list of checks")
    for each in several:
        if not isinstance(each, Check):
            raise UsageError(f"{origin} holds {kind_of(each)}; it should hold checks")
        yield each
