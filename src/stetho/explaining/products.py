"""Matrix products and linear layers whose sizes do not meet."""

from re import Match

from stetho.explaining.declare import SIZES, explains
from stetho.explaining.phrases import explained, named, product, sizes
from stetho.explaining.scene import Explanation, Operand, Scene


@explains(
    "matrix-shapes",
    r"mat1 and mat2 shapes cannot be multiplied \((\d+x\d+) and (\d+x\d+)\)",
)
def matrix_shapes(match: Match[str], scene: Scene) -> Explanation | None:
    """`mat1 and mat2 shapes cannot be multiplied`."""
    (rows, got), (wanted, columns) = sizes(match[1]), sizes(match[2])
    features = scene.setting("in_features")
    if isinstance(features, int):
        return _linear_input(scene, got, features)
    one, other = _pair(scene, got, wanted)
    first, second = named(one, "the first matrix"), named(other, "the second")
    title = f"the last axis of {first} is {got}, the first of {second} {wanted}"
    turned = got == columns and (other is None or len(other.shape) == 2)
    turned_name = f"`{other.name}.T`" if other is not None else "the second one turned, with `.T`,"
    return explained(
        scene,
        f"{title}; in a product these two must be equal",
        f"{turned_name} is [{columns}, {wanted}], which fits" if turned else "",
        f"`{one.name}.T` is [{got}, {rows}], which fits" if rows == wanted and one is not None else "",
        "" if turned else f"a second matrix of [{got}, {columns}]",
    )


def _pair(scene: Scene, got: int, wanted: int) -> tuple[Operand | None, Operand | None]:
    one = next((each for each in scene.operands if each.shape and each.shape[-1] == got), None)
    other = next(
        (each for each in scene.operands if each is not one and each.shape and wanted in each.shape[-2:]), None
    )
    return one, other


def _linear_input(scene: Scene, got: int, wanted: int) -> Explanation:
    given = next((each for each in scene.tensors if each.shape and each.shape[-1] == got), scene.given)
    title = f"{scene.subject} takes {wanted} features in the last axis of its input, and got {got}"
    outputs = scene.setting("out_features")
    made_for_it = f"a layer made for it: nn.Linear({got}, {outputs})"
    return explained(scene, title, *_flattening(given, wanted), made_for_it, _one_sample(given, wanted))


def _flattening(given: Operand | None, wanted: int) -> list[str]:
    """Rearrangements of the input that would fit."""
    if given is None or len(given.shape) < 2:
        return []
    name, shape = given.name, given.shape
    if product(shape[1:]) == wanted:
        return [f"`{name}.flatten(1)` is [{shape[0]}, {wanted}], which fits"]
    if wanted in shape[1:-1]:
        axis = shape.index(wanted, 1)
        return [f"`{name}.transpose({axis}, -1)` has {wanted} in its last axis, which fits"]
    if len(shape) > 3:
        return [f"`{name}.flatten(1)` has {product(shape[1:])} features; nn.Linear({product(shape[1:])}, …) takes them"]
    return []


def _one_sample(given: Operand | None, wanted: int) -> str:
    """All of the input together: rarely what is meant, for then the first axis is no batch."""
    if given is None or len(given.shape) < 2 or product(given.shape) != wanted:
        return ""
    return f"`{given.name}.reshape(1, -1)` is [1, {wanted}], when all of it is one sample"


@explains(
    "batched-matrices",
    rf"Expected size for first two dimensions of batch2 tensor to be: {SIZES} but got: {SIZES}",
)
def batch_shapes(match: Match[str], scene: Scene) -> Explanation:
    """`Expected size for first two dimensions of batch2 tensor`."""
    wanted, got = sizes(match[1]), sizes(match[2])
    what = "batch size" if wanted[0] != got[0] else "inner size"
    place = 0 if wanted[0] != got[0] else 1
    differ = f"the {what} is {wanted[place]} on the left and {got[place]} on the right"
    title = f"batches of matrices need the same batch and a common inner size; {differ}"
    last_first = scene.operands[::-1]
    turned = next((each for each in last_first if each.shape[:1] == got[:1] and each.shape[-1] == wanted[1]), None)
    fit = f"`{turned.name}.transpose(1, 2)` has the inner size {wanted[1]}" if turned and place == 1 else ""
    if turned is None and place == 1 and "@" in scene.code:
        fit = f"the right one with its last axes exchanged, when its last axis has {wanted[1]}: a @ b.transpose(-2, -1)"
    return explained(scene, title, fit, f"a second tensor that begins with {list(wanted)}; it begins with {list(got)}")


@explains(
    "not-positive-definite",
    r"linalg\.cholesky: .*not positive-definite",
)
def not_positive_definite(_match: Match[str], scene: Scene) -> Explanation:
    """`linalg.cholesky: The factorization could not be completed because the input is not positive-definite`."""
    title = f"`{scene.code}` wants a matrix all of whose eigenvalues are above 0, as a covariance has them"
    return explained(scene, title, "a little on the diagonal: A + 1e-6 * torch.eye(n)", "a look for NaN in it")


@explains(
    "matrix-and-vector",
    r"size mismatch, got input \(\d+\), mat \((\d+x\d+)\), vec \((\d+)\)",
)
def vector_size(match: Match[str], scene: Scene) -> Explanation:
    """`size mismatch, got input (3), mat (3x4), vec (5)`."""
    rows, columns = sizes(match[1])
    title = f"a matrix of {columns} columns meets a vector of {match[2]} elements; these two must be equal"
    return explained(scene, title, f"a vector of {columns} elements", f"a matrix of [{rows}, {match[2]}]")


@explains(
    "not-a-matrix",
    r"(self|mat2) must be a matrix",
)
def not_a_matrix(_match: Match[str], scene: Scene) -> Explanation:
    """`self must be a matrix`."""
    title = "torch.mm takes two tensors of exactly two axes"
    return explained(scene, title, "torch.matmul, or `@`, which multiplies the last two axes of any tensor")


@explains(
    "einsum-operands",
    r"einsum\(\): (fewer|more) operands were provided",
)
def einsum_operands(match: Match[str], scene: Scene) -> Explanation:
    """`einsum(): fewer operands were provided than specified in the equation`."""
    title = (
        f"the equation has {'more' if match[1] == 'fewer' else 'fewer'} parts before the arrow than there are tensors"
    )
    return explained(scene, title, "one part, separated by commas, for each tensor")


@explains(
    "einsum-size",
    r"einsum\(\): subscript (\w) has size (\d+) for operand (\d+) which does not broadcast with"
    r" previously seen size (\d+)",
)
def einsum_size(match: Match[str], scene: Scene) -> Explanation:
    """`einsum(): subscript j has size 4 for operand 1 which does not broadcast`."""
    letter, size, operand, before = match.groups()
    tensor = scene.operands[int(operand)] if int(operand) < len(scene.operands) else None
    place = named(tensor, f"tensor {operand}")
    title = f"the letter {letter} stands for one size: it was {before}, and is {size} in {place}"
    return explained(scene, title, f"another letter for that axis, or a tensor with {before} there")


@explains(
    "einsum-axes",
    r"einsum\(\): the number of subscripts in the equation \((\d+)\) .* number of dimensions \((\d+)\)"
    r" for operand (\d+)",
)
def einsum_axes(match: Match[str], scene: Scene) -> Explanation:
    """`einsum(): the number of subscripts in the equation does not match the number of dimensions`."""
    letters, axes, operand = map(int, match.groups())
    tensor = scene.operands[operand] if operand < len(scene.operands) else None
    title = f"the equation has {letters} letters for {named(tensor, f'tensor {operand}')}, which has {axes} axes"
    return explained(scene, title, f"{axes} letters for it, or `...` for axes that are only carried along")


@explains(
    "einsum-output",
    r"einsum\(\): output subscript (\w) does not appear",
)
def einsum_output(match: Match[str], scene: Scene) -> Explanation:
    """`einsum(): output subscript l does not appear in the equation for any input operand`."""
    title = f"the letter {match[1]} stands after the arrow and in no input, so its size is unknown"
    return explained(scene, title, f"a letter after the arrow that an input has, instead of {match[1]}")


@explains(
    "distance-columns",
    r"X1 and X2 must have the same number of columns. X1: (\d+) X2: (\d+)",
)
def distance_columns(match: Match[str], scene: Scene) -> Explanation:
    """`X1 and X2 must have the same number of columns. X1: 4 X2: 5`."""
    title = f"distances are taken between rows of one length; these are {match[1]} and {match[2]} long"
    return explained(scene, title, "the same number of features in the last axis of both")
