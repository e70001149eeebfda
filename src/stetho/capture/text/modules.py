"""The files that a program is made of, and what a name means in one of them that is imported from another."""

import ast
import functools
import linecache
import os
import sys
from collections.abc import Iterable
from importlib.util import resolve_name
from types import ModuleType

from stetho.capture.source import is_user_file
from stetho.capture.text.syntax import called_name, syntax_of

MOST_FILES = 256
MOST_READ = 48
MOST_HOPS = 3


def program_files() -> tuple[str, ...]:
    """The files of the program's own modules, in the order in which they were first imported."""
    newest = next(reversed(sys.modules), "")
    return _files(len(sys.modules), f"{newest} {_file(sys.modules.get(newest))} {_file(sys.modules.get('__main__'))}")


@functools.lru_cache(maxsize=4)
def _files(count: int, newest: str) -> tuple[str, ...]:  # noqa: ARG001  # what the answer hangs on
    files = (_file(module) for module in list(sys.modules.values()))
    own = dict.fromkeys(file for file in files if file is not None and is_user_file(file) and file.endswith(".py"))
    # Of a part of them nothing could be said that holds for the whole program.
    return tuple(own) if len(own) <= MOST_FILES else ()


def _file(module: object) -> str | None:
    # From its dictionary: to ask a module for a name may import another one.
    file = vars(module).get("__file__") if isinstance(module, ModuleType) else None
    return file if isinstance(file, str) else None


def files_of_program(first: Iterable[str]) -> list[str]:
    """Some files of the program, and then its others, where all of them are known: if the program is what was started.

    >>> files_of_program(["train.py"])[0]
    'train.py'
    """
    known = dict.fromkeys(first)
    files, main = program_files(), _file(sys.modules.get("__main__"))
    is_whole = main is not None and is_user_file(main) and len(files) <= MOST_READ
    if is_whole and any(_is_same(each, other) for each in known for other in files):
        known |= {each: None for each in files if not any(_is_same(each, other) for other in known)}
    return list(known)


def _is_same(one: str, other: str) -> bool:
    """Whether two paths mean one file: a script is known as it was typed, and as what others import."""
    if one == other or os.path.basename(one) != os.path.basename(other):
        return one == other
    return os.path.realpath(one) == os.path.realpath(other)


def other_files(file: str) -> list[str]:
    """The program's files but one; none if that is no file of the program."""
    files = program_files()
    if not any(_is_same(file, each) for each in files):
        return []
    return [each for each in files if not _is_same(file, each)]


@functools.lru_cache(maxsize=1024)
def imported(file: str, name: str) -> tuple[str, str] | None:
    """The file that a name of a file is imported from, and its name there; "" where it is the module itself.

    >>> imported("no such file.py", "RATE") is None
    True
    """
    for node in nodes_of(file):
        if not isinstance(node, ast.Import | ast.ImportFrom):
            continue
        alias = next((each for each in node.names if (each.asname or each.name) == name), None)
        if alias is not None and isinstance(node, ast.Import):
            return _module(alias.name, "")
        if alias is not None and isinstance(node, ast.ImportFrom):
            return _module(_absolute("." * node.level + (node.module or ""), file), alias.name)
    return None


def _absolute(name: str, file: str) -> str:
    if not name.startswith("."):
        return name
    packages = [vars(m).get("__package__") for m in list(sys.modules.values()) if _file(m) == file]
    package = next((each for each in packages if each), None)
    try:
        return resolve_name(name, package) if package else ""
    except ImportError:
        return ""


def _module(module: str, name: str) -> tuple[str, str] | None:
    """The file of a name of a module of the program; a name may be a module of a package."""
    inner = _file(sys.modules.get(f"{module}.{name}")) if name else None
    found, name = (inner, "") if inner is not None else (_file(sys.modules.get(module)), name)
    return (found, name) if found is not None and is_user_file(found) else None


def meant(file: str, function: ast.expr) -> tuple[str, str] | None:
    """The file and the name of what an expression such as `build` or `models.build` names, if it is imported."""
    match function:
        case ast.Name(id=name):
            found = imported(file, name)
        case ast.Attribute(value=ast.Name(id=module), attr=name):
            found = imported(file, module)
            found = (found[0], name) if found is not None and not found[1] else None
        case _:
            return None
    for _ in range(MOST_HOPS):
        # A package may only hand on what one of its modules has.
        further = imported(*found) if found is not None and found[1] else None
        if further is None:
            break
        found = further
    return found if found is not None and found[1] else None


def calls_elsewhere(file: str, name: str) -> list[ast.Call]:
    """The calls of a function or class of a file in the program's other files, as far as they import it from there."""
    return _calls(tuple(mentioning(file, name)), file, name)


@functools.lru_cache(maxsize=512)
def _calls(files: tuple[str, ...], source: str, name: str) -> list[ast.Call]:
    calls = [(file, node) for file in files for node in nodes_of(file) if isinstance(node, ast.Call)]
    found = [(meant(file, node.func), node) for file, node in calls if called_name(node)]
    return [node for each, node in found if each is not None and each[1] == name and _is_same(each[0], source)]


def mentioning(file: str, word: str) -> list[str]:
    """The program's files but one, as far as a word is in their text: no others need to be parsed."""
    return [each for each in other_files(file) if any(word in line for line in linecache.getlines(each))]


@functools.lru_cache(maxsize=MOST_FILES)
def nodes_of(file: str) -> list[ast.AST]:
    """All that a file is made of."""
    tree = syntax_of(file)
    return list(ast.walk(tree)) if tree is not None else []
