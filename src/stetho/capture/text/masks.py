"""Where a program writes the mask of an attention: its text is read, and nothing is run."""

import ast
import functools

from stetho.capture.text.cuts import class_of
from stetho.capture.text.syntax import FUNCTIONS, called_name, function_around, own_nodes, read
from stetho.capture.text.values import ProgramText

ARGUMENTS = ("src_key_padding_mask", "key_padding_mask", "tgt_key_padding_mask", "memory_key_padding_mask",
             "attention_mask", "attn_mask", "padding_mask", "pad_mask", "mask")  # fmt: skip
FILLING = ("masked_fill", "masked_fill_", "where")
LONGEST = 16
"""Names that are made of one another in turn would never end."""


@functools.lru_cache(maxsize=1024)
def mask_at(called: tuple[str, ...]) -> str | None:
    """The line that makes the mask for what is called at the first of these lines, or at the next ones around it.

    >>> from pathlib import Path
    >>> program = "hidden = ids != 0\\nh = encoder(h, src_key_padding_mask=hidden)\\n"
    >>> _ = Path("encode.py").write_text(program)
    >>> mask_at(("encode.py:2",)), mask_at(("gone.py:1",))
    ('encode.py:1', None)
    """
    for line in called:
        file, tree, number = read(line)
        text = ProgramText(tree)
        masks = [value for name in ARGUMENTS for value in text.arguments(number, name, "", None)]
        masks += _filling(tree, number)
        if masks:
            return f"{file}:{_made(text, masks[0]).lineno}"
    return next((inside for line in called if (inside := _inside(*read(line))) is not None), None)


def _inside(file: str, tree: ast.Module, number: int) -> str | None:
    """The one line of the same file that masks scores in what the function around a line calls before it."""
    around = function_around(tree, number) or tree
    names = {called_name(n) for n in own_nodes(around) if isinstance(n, ast.Call) and n.lineno <= number}
    bodies = [n for n in tree.body if isinstance(n, FUNCTIONS) and n.name in names]
    held = {class_of(tree, name) for name in names}
    for kind in (node for node in tree.body if isinstance(node, ast.ClassDef)):
        bodies += [n for n in kind.body if isinstance(n, FUNCTIONS) and n.name == "forward" and kind.name in held]
    calls = [node for body in bodies for node in own_nodes(body) if isinstance(node, ast.Call)]
    filling = {call.lineno for call in calls if called_name(call) in FILLING and call.args}
    return f"{file}:{filling.pop()}" if len(filling) == 1 else None


def _filling(tree: ast.Module, number: int) -> list[ast.expr]:
    """What scores are masked with before a line, in the same function."""
    calls = [
        n
        for n in own_nodes(function_around(tree, number) or tree)
        if isinstance(n, ast.Call) and called_name(n) in FILLING and n.args
    ]
    return [call.args[0] for call in sorted(calls, key=lambda call: call.lineno) if call.lineno <= number]


def _made(text: ProgramText, mask: ast.expr) -> ast.expr:
    """The comparison that a mask is, below what only gives it another shape: `mask[:, None, :]`, `~mask`."""
    here = text.written(mask)
    for _ in range(LONGEST):
        below: ast.expr
        match here:
            case ast.UnaryOp(operand=ast.Name()):
                below = here.operand
            case ast.Subscript():
                below = here.value
            case ast.Call(func=ast.Attribute(value=below, attr="unsqueeze" | "view" | "expand" | "bool" | "to")):
                pass
            case _:
                return here
        further = text.written(below)
        if further is here or further is below:
            break
        here = further
    return here
