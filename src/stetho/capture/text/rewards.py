"""What a program multiplies the likelihood of its choices with: whether it is to grow or to shrink, its name tells."""

import ast
import functools
import re
from collections.abc import Iterator

from stetho.capture.text.assignments import assignment
from stetho.capture.text.syntax import read

REWARD = frozenset(("adv", "advs", "advantage", "advantages", "reward", "rewards", "rew", "rews", "return", "returns",
                    "ret", "rets", "rtg", "gae", "gain", "gains", "payoff"))  # fmt: skip
RETURNS = ("R", "G", "Gt")
COST = frozenset(("cost", "costs", "regret", "penalty", "length", "distance", "loss", "error"))
LIKELIHOOD = re.compile(r"log_?p(i|rob|robs)?s?$|^(lp|lps|logpi|logpa|ratio|ratios)$")
Factor = tuple[ast.expr, bool]


@functools.lru_cache(maxsize=1024)
def reward_at(line: str) -> dict[str, object] | None:
    """The name of a reward that a likelihood is multiplied with in the file of a line, where, and with which sign.

    `turned` says that the reward goes in with a minus of its own, which no graph shows. None where there is no such
    product, or where products contradict each other.

    >>> reward_at("no such file.py:3") is None
    True
    """
    file, tree, _ = read(line)
    found = [each for each in (_product(tree, node) for node in ast.walk(tree)) if each is not None]
    if not found or len({turned for _, turned, _ in found}) > 1:
        return None
    name, turned, number = found[0]
    return {"name": name, "turned": turned, "line": f"{file}:{number}"}


def _product(tree: ast.Module, node: ast.AST) -> tuple[str, bool, int] | None:
    if not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult)):
        return None
    factors = list(_factors(node, False))
    others = [factor for factor in factors if not _is_likelihood(factor[0])]
    if len(others) == len(factors):
        return None
    for factor, _turned in others:
        name, sign = _reward(tree, factor, node.lineno)
        if name is not None:
            # Minus signs of all constants count; those of the likelihood are in the graph.
            rest = sum(other_turned for _, other_turned in others)
            return name, (rest + sign) % 2 == 1, node.lineno
    return None


def _factors(node: ast.expr, turned: bool) -> Iterator[Factor]:
    """The factors of a product, each with whether it has a minus."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        yield from _factors(node.left, turned)
        yield from _factors(node.right, False)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and not isinstance(node.operand, ast.BinOp):
        yield from _factors(node.operand, not turned)
    else:
        yield node, turned


def _is_likelihood(node: ast.expr) -> bool:
    return any(LIKELIHOOD.search(name) is not None for name in _names(node))


def _reward(tree: ast.Module, node: ast.expr, number: int, hops: int = 2) -> tuple[str | None, bool]:
    """The name of a reward in a factor, and whether a minus stands before it: here, or where it is made."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        name, turned = _reward(tree, node.operand, number, hops)
        return name, not turned
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub):
        left, turned = _reward(tree, node.left, number, hops)
        if left is not None:
            return left, turned
        right, turned = _reward(tree, node.right, number, hops)
        return right, not turned
    if isinstance(node, ast.BinOp):
        left, turned = _reward(tree, node.left, number, hops)
        return (left, turned) if left is not None else _reward(tree, node.right, number, hops)
    names = list(_names(node))
    name = next((each for each in names if _is_reward(each)), None)
    if name is None or any(COST & _words(each) for each in names):
        return None, False
    made = assignment(tree, name, number) if hops else None
    if made is not None and isinstance(made.targets[0], ast.Name):
        inner, turned = _reward(tree, made.value, made.lineno, hops - 1)
        is_cost = inner is None and any(COST & _words(each) for each in _names(made.value))
        has_minus = any(isinstance(part, ast.USub | ast.Sub) for part in ast.walk(made.value))
        return None if is_cost and not has_minus else name, inner is not None and turned
    return name, False


def _is_reward(name: str) -> bool:
    return name in RETURNS or bool(REWARD & _words(name))


def _words(name: str) -> set[str]:
    return set(name.lower().split("_"))


def _names(node: ast.expr) -> Iterator[str]:
    """The names in an expression, of variables, attributes and methods."""
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            yield part.id
        elif isinstance(part, ast.Attribute):
            yield part.attr
