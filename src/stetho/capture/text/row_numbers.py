"""Where a model takes as many positions as its input has rows: `self.pe[:x.size(0)]`, `arange(len(x))`."""

import ast
import functools

from stetho.capture.text.syntax import called_name, read


@functools.lru_cache(maxsize=64)
def row_numbers_at(file: str) -> str | None:
    """The line in the classes of a file that counts the rows of an input, to cut or ask a table; None for several.

    >>> from pathlib import Path
    >>> program = "class Net(Module):\\n    def forward(self, x):\\n        return x + self.pe[: x.size(0)]\\n"
    >>> _ = Path("rows.py").write_text(program)
    >>> row_numbers_at("rows.py")
    'rows.py:3'
    """
    _, tree, _ = read(f"{file}:1")
    classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    lines = {
        node.lineno
        for each in classes
        for node in ast.walk(each)
        if isinstance(node, ast.expr) and (_cuts_table(node) or _counts(node))
    }
    return f"{file}:{lines.pop()}" if len(lines) == 1 else None


def _cuts_table(node: ast.expr) -> bool:
    """Whether a node takes the first rows of something the model keeps, as many as an input has."""
    if not (isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute)):
        return False
    first = node.slice.elts[0] if isinstance(node.slice, ast.Tuple) and node.slice.elts else node.slice
    return isinstance(first, ast.Slice) and first.upper is not None and _is_number_of_rows(first.upper)


def _counts(node: ast.expr) -> bool:
    is_range = isinstance(node, ast.Call) and called_name(node) == "arange"
    return is_range and isinstance(node, ast.Call) and len(node.args) == 1 and _is_number_of_rows(node.args[0])


def _is_number_of_rows(node: ast.expr) -> bool:
    match node:
        case ast.Call(func=ast.Name(id="len"), args=[_]):
            return True
        case ast.Call(func=ast.Attribute(attr="size"), args=[ast.Constant(value=0)]):
            return True
        case ast.Subscript(value=ast.Attribute(attr="shape"), slice=ast.Constant(value=0)):
            return True
    return False
