"""Where a program writes the mask of an attention: its text is read, and nothing is run."""

import ast
import functools
from collections.abc import Iterator

from stetho.capture.text.cuts import class_of
from stetho.capture.text.syntax import FUNCTIONS, called_name, calls_at, function_around, own_nodes, read
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
        earlier = _given_before(tree, number)
        if earlier is not None:
            return f"{file}:{_made(text, earlier).lineno}"
    entry = next((found for line in called for found in _in_batches(*read(line))), None)
    if entry is not None:
        return entry
    return next((inside for line in called if (inside := _inside(*read(line))) is not None), None)


def _given_before(tree: ast.Module, number: int) -> ast.expr | None:
    """The mask of the last call before a line in the same function that is given one."""
    calls = [
        n for n in own_nodes(function_around(tree, number) or tree) if isinstance(n, ast.Call) and n.lineno <= number
    ]
    masks = [(call.lineno, each.value) for call in calls for each in call.keywords if each.arg in ARGUMENTS]
    return max(masks, key=lambda mask: mask[0])[1] if masks else None


def _in_batches(file: str, tree: ast.Module, number: int) -> Iterator[str]:
    """The mask in the one dictionary of the file with one, where a call at a line is given a whole one: `**batch`."""
    if not any(each.arg is None for call in calls_at(tree, number) for each in call.keywords):
        return
    pairs = [pair for n in ast.walk(tree) if isinstance(n, ast.Dict) for pair in zip(n.keys, n.values, strict=True)]
    masks = [value for key, value in pairs if isinstance(key, ast.Constant) and key.value in ARGUMENTS]
    if len(masks) == 1:
        yield f"{file}:{_made(ProgramText(tree), masks[0]).lineno}"


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
            # A mask that is kept, and compared where it is used: `self.mask[:n, :n] == 0`.
            case ast.Compare(left=ast.Attribute() as below, comparators=[ast.Constant()]):
                pass
            case ast.Compare(left=ast.Subscript(value=ast.Attribute() as below), comparators=[ast.Constant()]):
                pass
            case ast.Call(func=ast.Attribute(value=below, attr="unsqueeze" | "view" | "expand" | "bool" | "to")):
                pass
            case _:
                return here
        further = text.written(below)
        if further is here or further is below:
            break
        here = further
    return here
