"""Where in the user's code a process was when it wrote its stacks, and in which layer: read from text alone."""

import ast
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from stetho.capture.recursion import endless_round, folded
from stetho.capture.text.syntax import syntax_of

_FRAME = re.compile(r'File "([^"]+)", line (\d+) in (\S+)')
_LIBRARY = re.compile(r"[/\\](site-packages|dist-packages|stetho)[/\\]|[/\\]lib[/\\]python\d|^<")
_MODULES = re.compile(r"torch[/\\]nn[/\\]modules[/\\](\w+)\.py")
_OWN = re.compile(
    r"[/\\\\]stetho[/\\\\](?:importlib_bootstrap[/\\\\])?(capture|commands|views|__main__)|<frozen runpy>"
)
MOST_LAYERS = 3
MODEL_FILE = "model.json"


def crash_place(stacks: str, folder: Path | None) -> tuple[str | None, list[str]]:
    """The user's innermost line in the thread that failed, and the layers it was in, as far as the lines tell.

    Of a stack that ran over, the innermost line of the round: where it just was when it did is chance.
    """
    where, classes, model = None, set[str](), _model(folder)
    lines = failing_thread(stacks).splitlines()
    frames = list(_frames("\n".join(endless_round(lines) or lines)))
    for file, line, _ in frames:
        if found := _MODULES.search(file):
            classes.add(found[1].lower())
        if _LIBRARY.search(file):
            continue
        where = where or f"{file}:{line}"
        layers = layers_called_at(f"{file}:{line}", classes, model)
        if layers:
            return where, layers
        classes |= {each.name.lower() for each in [_class_at(file, line)] if each is not None}
    own = [_class_at(file, line) for file, line, _ in frames if not _LIBRARY.search(file)]
    return where, next((layers for each in own if each is not None and (layers := _layers_of(each, model))), [])


def _layers_of(written: ast.ClassDef, model: Mapping[str, Any]) -> list[str]:
    """The layers of a class, where they are not too many to be of use; before the model is known, the class itself."""
    kind = written.name
    if not model:
        return [kind] if any(getattr(each, "name", None) == "forward" for each in written.body) else []
    layers = [(layer, each) for each in model.get("models", []) for layer in each.get("layers", [])]
    names = [
        str(layer.get("name") or each.get("label") or kind) for layer, each in layers if layer.get("class") == kind
    ]
    return names if len(names) <= MOST_LAYERS else []


def layers_called_at(where: str, classes: set[str], model: Mapping[str, Any]) -> list[str]:
    """The layers that the user calls in a line; of a chain of them, those of the classes further down the stack.

    >>> kinds = {"fc": "Linear", "act": "ReLU"}
    >>> layers = [{"name": name, "class": kind, "called": "net.py:3"} for name, kind in kinds.items()]
    >>> layers_called_at("net.py:3", {"module", "linear"}, {"models": [{"layers": layers}]})
    ['fc']
    """
    called = [
        (str(layer.get("name") or each.get("label")), str(layer.get("class")).lower())
        for each in model.get("models", [])
        for layer in each.get("layers", [])
        if layer.get("called") == where and (layer.get("name") or each.get("label"))
    ]
    # A file of torch's holds several classes: conv.py has Conv1d and Conv2d, rnn.py has LSTM.
    words = classes - {"", "module", "container"}
    fitting = [name for name, kind in called if any(kind.startswith(word[:4]) for word in words)]
    return (fitting or [name for name, _ in called])[:MOST_LAYERS]


def _class_at(file: str, line: int) -> ast.ClassDef | None:
    """The class of the user's whose method a line stands in."""
    tree = syntax_of(file)
    classes = (each for each in ast.walk(tree) if isinstance(each, ast.ClassDef)) if tree is not None else ()
    inside = [each for each in classes if each.lineno <= line <= (each.end_lineno or 0)]
    return max(inside, key=lambda each: each.lineno, default=None)


IMPORTING = 'File "<frozen importlib'
"""Five such frames stand between any two files that import one another."""


def tidied(stacks: str) -> str:
    """The stacks without frames and threads of stetho's own, those of imports, and the list of extension modules.

    A round of calls without end is told once.
    """
    parts = re.split(r"^(?=(?:Current thread|Thread) 0x)", stacks, flags=re.MULTILINE)
    kept = [part for part in parts if not (part.startswith("Thread") and _OWN.search(part))]
    lines = [line for part in kept for line in part.splitlines() if not (_OWN.search(line) or IMPORTING in line)]
    return "\n".join(folded([line for line in lines if not line.startswith("Extension modules:")])).strip()


def failing_thread(stacks: str) -> str:
    """The part about the thread that failed; in a hang, about the main thread, which stands last."""
    parts = re.split(r"^(?=(?:Current thread|Thread) 0x)", stacks, flags=re.MULTILINE)
    current = next((part for part in parts if part.startswith("Current thread")), None)
    return current if current is not None else parts[-1]


def _frames(stack: str) -> Iterator[tuple[str, int, str]]:
    for file, line, function in _FRAME.findall(stack):
        yield file, int(line), function


def _model(folder: Path | None) -> Mapping[str, Any]:
    try:
        read = json.loads((folder / MODEL_FILE).read_text(encoding="utf-8")) if folder is not None else {}
    except (OSError, ValueError):
        return {}
    return read if isinstance(read, dict) else {}
