"""Views, joins and element-wise operations whose shapes do not go together."""

import ast
from re import Match

from stetho.explaining.declare import SIZES, explains
from stetho.explaining.phrases import explained, name_of, named, product, sizes
from stetho.explaining.scene import Explanation, Operand, Scene

LARGEST_KERNEL = 10


@explains(
    "view-not-compatible",
    r"view size is not compatible with input tensor's size and stride",
)
def view(_match: Match[str], scene: Scene) -> Explanation:
    """`view size is not compatible with input tensor's size and stride`."""
    tensor = scene.operand or scene.given
    title = f"{named(tensor)} does not lie in one piece (after a transpose, permute or slice), and a view cannot copy"
    return explained(scene, title, f"`{name_of(tensor, 'tensor')}.reshape(…)`, which copies where it must")


@explains(
    "number-of-elements",
    r"shape '(\[[-\d, ]*\])' is invalid for input of size (\d+)",
)
def elements(match: Match[str], scene: Scene) -> Explanation:
    """`shape '[5, -1]' is invalid for input of size 12`."""
    wanted, count = sizes(match[1]), int(match[2])
    tensor = next((each for each in scene.tensors if product(each.shape) == count), None)
    shown = f"{named(tensor)} {list(tensor.shape)}" if tensor is not None else "the tensor"
    known = product(size for size in wanted if size != -1)
    title = f"{shown} has {count:,} elements, which cannot be arranged as {list(wanted)}"
    if -1 in wanted:
        title += f": {count:,} is no multiple of {known:,}"
    return explained(scene, title, *_arrangements(wanted, count, tensor))


def _arrangements(wanted: tuple[int, ...], count: int, tensor: Operand | None) -> list[str]:
    fits = []
    parted = _parted(wanted, tensor.shape) if tensor is not None else None
    if parted is not None:
        size, parts = parted
        whole = f"the last axis of {size} does not split into {' x '.join(map(str, parts))} = {product(parts)}"
        fits.append(f"{whole}: a size that is a multiple of {parts[0]}")
    if tensor is not None and len(wanted) == 2 and len(tensor.shape) > 2:
        fits.append(f"`{tensor.name}.flatten(1)` is [{tensor.shape[0]}, {product(tensor.shape[1:])}]")
    if wanted and wanted[0] > 0 and count % max(product(wanted[1:]), 1) == 0 and -1 not in wanted:
        fits.append(f"-1 for the first size ({count // product(wanted[1:])} here): the last batch may be smaller")
    return fits or [f"sizes whose product is {count:,}, one of which may be -1"]


def _parted(wanted: tuple[int, ...], shape: tuple[int, ...]) -> tuple[int, tuple[int, ...]] | None:
    """The last axis, and the two parts that it was to be split into and does not have; None for any other view.

    >>> _parted((2, 7, 4, 12), (2, 7, 50))
    (50, (4, 12))
    """
    is_split = len(wanted) == len(shape) + 1 and wanted[: len(shape) - 1] == shape[:-1] and min(wanted) > 0
    return (shape[-1], wanted[-2:]) if is_split and shape else None


@explains(
    "inferred-twice",
    r"only one dimension can be inferred",
)
def inferred_twice(_match: Match[str], scene: Scene) -> Explanation:
    """`only one dimension can be inferred`."""
    return explained(scene, f"`{scene.code}` leaves more than one size open", "-1 for one size, numbers for the others")


@explains(
    "cat-sizes",
    r"Sizes of tensors must match except in dimension (\d+)\. Expected size (\d+) but got size (\d+) for"
    r" tensor number (\d+)",
)
def joined(match: Match[str], scene: Scene) -> Explanation:
    """`Sizes of tensors must match except in dimension 0. Expected size 3 but got size 4 for tensor number 1`."""
    axis, wanted, got, number = map(int, match.groups())
    title = f"torch.cat along axis {axis} joins tensors that agree in all others; "
    title += f"number {number} has {got} where the first has {wanted}"
    first = scene.operand
    differing = [place for place, size in enumerate(first.shape) if place != axis and size == wanted] if first else []
    return explained(
        scene,
        title,
        f"dim={differing[0]}, when they are to be joined along the axis that differs" if len(differing) == 1 else "",
        f"{wanted} in {_axes(differing)} of tensor {number}: by padding, cropping or a layer",
    )


def _axes(places: list[int]) -> str:
    """The axes in words; one that is not known is that which the message speaks of."""
    if not places:
        return "that axis"
    return f"axis {places[0]}" if len(places) == 1 else "axes " + " and ".join(map(str, places))


@explains(
    "cat-axes",
    r"Tensors must have same number of dimensions: got (\d+) and (\d+)",
)
def joined_axes(match: Match[str], scene: Scene) -> Explanation:
    """`Tensors must have same number of dimensions: got 2 and 1`."""
    one, other = map(int, match.groups())
    title = f"torch.cat joins tensors with as many axes each; these have {one} and {other}"
    return explained(scene, title, "`.unsqueeze(…)` on the one with fewer axes")


@explains(
    "stack-sizes",
    rf"stack expects each tensor to be equal size, but got {SIZES} at entry (\d+) and {SIZES} at entry"
    r" (\d+)",
)
def stacked(match: Match[str], scene: Scene) -> Explanation:
    """`stack expects each tensor to be equal size, but got [2] at entry 0 and [3] at entry 1`."""
    one, entry, other, number = sizes(match[1]), match[2], sizes(match[3]), match[4]
    if "collate" in scene.message or (scene.layer is None and "DataLoader" in scene.kind) or _is_collating(scene):
        numbers = f"{list(one)} (number {entry} in it) and {list(other)} (number {number})"
        title = f"samples of one batch differ in shape: {numbers}"
        return explained(
            scene,
            title,
            "samples of one shape: crop, resize or pad them in the dataset",
            "collate_fn=… in the DataLoader, with torch.nn.utils.rnn.pad_sequence for sequences",
            "batch_size=1, to see that nothing else is wrong",
        )
    title = f"torch.stack takes tensors of one shape; number {entry} is {list(one)}, number {number} {list(other)}"
    fit = "torch.cat, which joins along an axis that may differ" if one[1:] == other[1:] else ""
    return explained(scene, title, fit, "torch.nn.utils.rnn.pad_sequence for sequences of different lengths")


def _is_collating(scene: Scene) -> bool:
    return "loader" in scene.code.lower() or "stack" not in scene.code


@explains(
    "element-wise-sizes",
    r"The size of tensor a \((\d+)\) must match the size of tensor b \((\d+)\) at non-singleton dimension"
    r" (\d+)",
)
def element_wise(match: Match[str], scene: Scene) -> Explanation:
    """`The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1`."""
    one, other, axis = map(int, match.groups())
    pair = _pair(scene, one, other)
    sides = _sides(scene.code)
    names = [
        f"{named(each, word)} {list(each.shape) if each else ''}".strip()
        for each, word in zip(pair, sides, strict=True)
    ]
    title = f"{names[0]} and {names[1]} differ in axis {axis} of the result, {one} and {other}, and neither is 1"
    padded = _padded(sides, one, other) if axis > 1 and None in pair else ""
    return explained(scene, title, padded, *_broadcasts(*pair))


def _sides(code: str) -> tuple[str, str]:
    """The two sides of the only operation of a line, for those that no variable holds.

    >>> _sides("return self.skip(x) + self.body(x)"), _sides("a + b + c")
    (('`self.skip(x)`', '`self.body(x)`'), ('one side', 'the other'))
    """
    try:
        found = [node for node in ast.walk(ast.parse(code.strip())) if isinstance(node, ast.BinOp)]
    except SyntaxError:
        found = []
    if len(found) != 1:
        return "one side", "the other"
    return f"`{ast.unparse(found[0].left)}`", f"`{ast.unparse(found[0].right)}`"


def _padded(sides: tuple[str, str], one: int, other: int) -> str:
    """What keeps the size of a picture or a sequence, where one side has lost an even number of places."""
    lost = abs(one - other)
    if not sides[0].startswith("`") or lost % 2 or lost > LARGEST_KERNEL:
        return ""
    smaller = sides[0] if one < other else sides[1]
    return f"padding={lost // 2}, if a convolution with kernel_size={lost + 1} makes {smaller} smaller by {lost}"


def _pair(scene: Scene, one: int, other: int) -> tuple[Operand | None, Operand | None]:
    tensors = scene.operands if len(scene.operands) > 1 else scene.tensors
    first = next((each for each in tensors if one in each.shape), None)
    return first, next((each for each in tensors if each is not first and other in each.shape), None)


def _broadcasts(one: Operand | None, other: Operand | None) -> list[str]:
    """Changes of one side that let the two be put together, axis by axis from the last."""
    if one is None or other is None:
        return ["sizes that are equal, or 1, axis by axis from the last"]
    short, long = sorted((one, other), key=lambda each: len(each.shape))
    if len(short.shape) == 1 and len(long.shape) == 2 and short.shape[0] == long.shape[0]:
        return [f"`{short.name}.unsqueeze(1)` is [{short.shape[0]}, 1]: one value for each row"]
    if one.shape == other.shape[::-1] and len(one.shape) == 2:
        return [f"`{other.name}.T` is {list(one.shape)}"]
    return ["sizes that are equal, or 1, axis by axis from the last"]


@explains(
    "expanded-size",
    rf"The expanded size of the tensor .* Target sizes: {SIZES}\.  Tensor sizes: {SIZES}",
)
def expanded(match: Match[str], scene: Scene) -> Explanation:
    """`The expanded size of the tensor (4) must match the existing size (2)`."""
    wanted, given = sizes(match[1]), sizes(match[2])
    title = f"a tensor of {list(given)} cannot be spread out to {list(wanted)}: only an axis of 1 can grow"
    own = next((each for each in scene.operands if each.shape == given), None)
    given_in = next((each for each in scene.operands if each.shape == wanted), None)
    if own is None and scene.layer is not None and given_in is not None and len(given) == len(wanted):
        axis, size = next((place, size) for place, size in enumerate(given) if size not in (1, wanted[place]))
        title = (
            f"{scene.subject} has something of {size} places for axis {axis}, and {given_in.shown} has {wanted[axis]}"
        )
        return explained(
            scene, title, f"at most {size} in axis {axis} of `{given_in.name}`", f"a model made for {wanted[axis]}"
        )
    return explained(scene, title, f"`{name_of(own, 'tensor')}.repeat(…)`, which copies, or an axis of 1")


@explains(
    "in-place-result",
    rf"output with shape {SIZES} doesn't match the broadcast shape {SIZES}",
)
def in_place_result(match: Match[str], scene: Scene) -> Explanation:
    """`output with shape [3] doesn't match the broadcast shape [4, 3]`."""
    title = f"an operation in place cannot change the shape: {match[1]} cannot hold a result of {match[2]}"
    return explained(scene, title, "the same without the underscore or `+=`: `x = x + y`")


@explains(
    "permuted-axes",
    r"permute.*input\.dim\(\) = (\d+) is not equal to len\(dims\) = (\d+)",
)
def permuted(match: Match[str], scene: Scene) -> Explanation:
    """`permute: input.dim() = 2 is not equal to len(dims) = 3`."""
    tensor = scene.operand
    title = f"{named(tensor)} has {match[1]} axes, and permute names {match[2]}"
    return explained(scene, title, f"permute with each of 0 to {int(match[1]) - 1} once")


@explains(
    "unflattened-size",
    rf"unflatten: Provided sizes {SIZES} don't multiply up to the size of dim (\d+) \((\d+)\)",
)
def unflattened(match: Match[str], scene: Scene) -> Explanation:
    """`unflatten: Provided sizes [4, 2] don't multiply up to the size of dim 1 (6)`."""
    wanted, axis, size = sizes(match[1]), match[2], match[3]
    title = f"axis {axis} has {size} places, and {list(wanted)} are {product(wanted)}"
    return explained(scene, title, f"sizes whose product is {size}, one of which may be -1")


@explains(
    "split-sizes",
    rf"sum exactly to (\d+) \(input tensor's size at dimension (-?\d+)\), but got split_sizes={SIZES}",
)
def split(match: Match[str], scene: Scene) -> Explanation:
    """`split_with_sizes expects split_sizes to sum exactly to 6`."""
    parts = sizes(match[3])
    title = f"axis {match[2]} has {match[1]} places, and the parts {list(parts)} are {sum(parts)}"
    return explained(scene, title, f"parts whose sum is {match[1]}")


@explains(
    "ragged-lists",
    r"expected sequence of length (\d+) at dim (\d+) \(got (\d+)\)",
)
def ragged(match: Match[str], scene: Scene) -> Explanation:
    """`expected sequence of length 2 at dim 1 (got 1)`."""
    title = f"the lists differ in length: {match[1]} in the first one, {match[3]} in another (axis {match[2]})"
    return explained(scene, title, "lists of one length: pad them, or torch.nn.utils.rnn.pad_sequence on a tensor each")
