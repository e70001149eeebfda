"""The rows of arrays in single statements: which variables hand them on, and what puts them in another order."""

import ast
from collections.abc import Iterator

from stetho.capture.text.syntax import called_name, roots_of

ORDERS = ("argsort", "randperm", "permutation", "lexsort", "sample", "sorted")
"""What gives an order."""
REORDERING = ("shuffle", "permutation", "sort", "sorted", "roll", "flip", "flipud", "sample")
"""What gives back its arguments in another order, or puts them in one where they are."""
RANDOM_ORDERS = ("randperm", "permutation")
SEEDING = ("seed", "manual_seed", "set_state", "set_rng_state", "setstate", "default_rng", "RandomState", "Random")
CHOOSING = ("isnan", "isfinite", "isin", "notna", "notnull", "isna", "isnull", "flatnonzero", "nonzero",
            "logical_and", "logical_or", "logical_not", "dropna")  # fmt: skip
"""What says of each row whether it is kept."""
HANDING_ON = ("tensor", "as_tensor", "from_numpy", "Tensor", "FloatTensor", "LongTensor", "array", "asarray",
              "stack", "cat", "concatenate", "column_stack", "hstack", "vstack", "fit_transform", "list")  # fmt: skip
"""What gives back its arguments, row for row."""

Reorder = tuple[str, int]
"""The order, by its name or place, and the line that uses it."""


def gives_order(value: ast.expr) -> bool:
    """Whether a value is an order of rows, or is made of one.

    >>> [gives_order(ast.parse(text, mode="eval").body) for text in ("np.argsort(-t)[:9]", "len(t)")]
    [True, False]
    """
    return any(called_name(node) in ORDERS for node in ast.walk(value) if isinstance(node, ast.Call))


def is_choice(value: ast.expr) -> bool:
    """Whether a value says of each row whether it is kept.

    >>> [is_choice(ast.parse(text, mode="eval").body) for text in ("t > 3", "~isnan(t) & (t < 9)", "t + 3")]
    [True, True, False]
    """
    match value:
        case ast.Compare():
            return True
        case ast.BinOp(left=left, op=ast.BitAnd() | ast.BitOr(), right=right):
            return is_choice(left) or is_choice(right)
        case ast.UnaryOp(op=ast.Invert(), operand=inner):
            return is_choice(inner)
        case ast.Call():
            return called_name(value) in CHOOSING
    return False


def cut_to_another(index: ast.expr, own: list[str]) -> bool:
    """Whether rows are only cut to the number of rows of another array: `y[:len(x)]`.

    >>> index = ast.parse("y[:len(x)]", mode="eval").body.slice
    >>> cut_to_another(index, ["y"]), cut_to_another(index, ["x"])
    (True, False)
    """
    match index:
        case ast.Slice(lower=None, upper=ast.Call(func=ast.Name(id="len"), args=[other]), step=None):
            return bool(source(other)) and not set(source(other)) & set(own)
        case ast.Slice(lower=None, upper=ast.Subscript(value=ast.Attribute(value=other, attr="shape")), step=None):
            return bool(source(other)) and not set(source(other)) & set(own)
    return False


def given(statement: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    """The variables that a statement sets, each with its value."""
    if not isinstance(statement, ast.Assign):
        return
    for target in statement.targets:
        if isinstance(target, ast.Name):
            yield target.id, statement.value
        elif isinstance(target, ast.Tuple) and isinstance(statement.value, ast.Tuple):
            pairs = zip(target.elts, statement.value.elts, strict=False)
            yield from ((part.id, value) for part, value in pairs if isinstance(part, ast.Name))
        elif isinstance(target, ast.Tuple):
            # All of them come from one place, and are in one order there.
            yield from ((part.id, statement.value) for part in target.elts if isinstance(part, ast.Name))


def of_statement(statement: ast.stmt) -> Iterator[ast.AST]:
    """The nodes of a statement without those of the statements inside of it."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += [each for each in ast.iter_child_nodes(node) if not isinstance(each, ast.stmt)]


def shuffled(statement: ast.stmt, name: str) -> Iterator[Reorder]:
    """Whether a statement puts an array in another order where it is: `rng.shuffle(x)`."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    if isinstance(call, ast.Call) and called_name(call) in REORDERING and name in roots_of(call):
        yield f"{called_name(call)}:{call.lineno}", call.lineno


def shuffled_by_itself(statement: ast.stmt) -> Iterator[str]:
    """Arrays that a statement puts in a random order of their own, under the name that they have.

    >>> texts = ("x = x[torch.randperm(n)]", "rng.shuffle(x)", "x = x[order]", "x = x[randperm(n, generator=g)]")
    >>> [list(shuffled_by_itself(ast.parse(text).body[0])) for text in texts]
    [['x'], ['x'], [], []]
    """
    call = statement.value if isinstance(statement, ast.Expr) else None
    if isinstance(call, ast.Call) and called_name(call) == "shuffle" and len(call.args) == 1 and not call.keywords:
        yield from source(call.args[0]) if isinstance(call.args[0], ast.Name) else ()
    for name, value in given(statement):
        match value:
            case ast.Subscript(value=ast.Name(id=taken), slice=ast.Call() as order) if taken == name:
                if called_name(order) in RANDOM_ORDERS and not order.keywords:
                    yield name


def sets_seed(statement: ast.stmt) -> bool:
    """Whether a statement sets the state of a generator: then two orders may be the same."""
    return any(called_name(node) in SEEDING for node in of_statement(statement) if isinstance(node, ast.Call))


def source(value: ast.expr) -> list[str]:
    """The variables whose rows an expression hands on, or that choose them.

    >>> source(ast.parse("torch.tensor(y[rows] - mean).float()", mode="eval").body)
    ['torch', 'y', 'rows', 'mean']
    """
    match value:
        case ast.Name(id=name):
            return [name]
        case ast.Subscript(value=inner, slice=ast.Name() | ast.Tuple() as index):
            # Rows that are chosen by others come in the order of these.
            return [*source(inner), *source(index)]
        case ast.Subscript(value=inner) | ast.Attribute(value=inner) | ast.UnaryOp(operand=inner):
            return source(inner)
        case ast.BinOp(left=left, right=right):
            return [*source(left), *source(right)]
        case ast.Call(func=function, args=arguments):
            method = source(function.value) if isinstance(function, ast.Attribute) else []
            is_handed_on = called_name(value) in (*HANDING_ON, *REORDERING)
            return [*method, *(name for each in arguments if is_handed_on for name in source(each))]
        case ast.ListComp(elt=inner):
            return source(inner)
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return [name for part in parts for name in source(part)]
    return []
