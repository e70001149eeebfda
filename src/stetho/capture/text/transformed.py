"""Where the transform of a data set is made, followed from the loader: `DataLoader(Pictures(files, transform))`."""

import ast
import functools

from stetho.capture.text.syntax import FUNCTIONS, Function, called_name, calls_at, read
from stetho.capture.text.values import ProgramText

WORDS = ("transform", "preprocess", "augment")
SHORT = ("tf", "tfm", "tfms")


@functools.lru_cache(maxsize=256)
def transformed_at(line: str) -> str | None:
    """The line that makes the transform of the one loader at a line; of a function, what it gives back.

    >>> from pathlib import Path
    >>> program = "scaled = Compose(Rescale(255))\\nloader = DataLoader(Pictures(files, transform=scaled))\\n"
    >>> _ = Path("transforms.py").write_text(program)
    >>> transformed_at("transforms.py:2"), transformed_at("transforms.py:1") is None
    ('transforms.py:1', True)
    """
    file, tree, number = read(line)
    text = ProgramText(tree)
    loaders = [call for call in calls_at(tree, number) if called_name(call) == "DataLoader" and call.args]
    dataset = text.written(loaders[0].args[0]) if len(loaders) == 1 else None
    if not isinstance(dataset, ast.Call):
        return None
    given = [value for name, value in _arguments(tree, dataset) if _is_transform(name)]
    if len(given) != 1 or isinstance(given[0], ast.Constant):
        return None
    made = text.written(given[0])
    function = _function(tree, made.id) if isinstance(made, ast.Name) else None
    if function is not None:
        returns = [node for node in function.body if isinstance(node, ast.Return)]
        return f"{file}:{returns[0].lineno}" if len(returns) == 1 else f"{file}:{function.lineno}"
    return f"{file}:{made.lineno}"


def _is_transform(name: str) -> bool:
    words = name.lower().split("_")
    return any(part in name.lower() for part in WORDS) or any(word in SHORT for word in words)


def _arguments(tree: ast.Module, call: ast.Call) -> list[tuple[str, ast.expr]]:
    """What a call gives, by the names that the class calls it by, where that is one of the same file."""
    found = [(each.arg, each.value) for each in call.keywords if each.arg is not None]
    made = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and node.name == called_name(call)]
    makers = [each for node in made for each in node.body if isinstance(each, FUNCTIONS) and each.name == "__init__"]
    if len(makers) == 1 and not any(isinstance(each, ast.Starred) for each in call.args):
        names = [each.arg for each in makers[0].args.args[1:]]
        found += list(zip(names, call.args, strict=False))
    return found


def _function(tree: ast.Module, name: str) -> Function | None:
    found = [node for node in tree.body if isinstance(node, FUNCTIONS) and node.name == name]
    return found[0] if len(found) == 1 else None
