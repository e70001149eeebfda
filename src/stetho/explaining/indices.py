"""Indices, classes and axes that are out of range."""

import math
from re import Match

from stetho.explaining.declare import SIZES, explains
from stetho.explaining.phrases import explained, named, sizes
from stetho.explaining.scene import Explanation, Operand, Scene


@explains(
    "class-number",
    r"Target (-?\d+) is out of bounds",
)
def class_number(match: Match[str], scene: Scene) -> Explanation:
    """`Target 10 is out of bounds.`"""
    target = int(match[1])
    floating = (each for each in scene.tensors if "float" in each.dtype and len(each.shape) >= 1)
    scores = scene.taken_as("input") or next(floating, None)
    labels = scene.taken_as("target") or next((each for each in scene.tensors if "int" in each.dtype), None)
    axis = 1 if scores is not None and len(scores.shape) > 1 else 0
    classes = scores.shape[axis] if scores is not None else None
    name = named(labels, "the target")
    title = f"{name} holds the class {target}, and {named(scores, 'the input')} has scores for the classes 0 to "
    title += f"{classes - 1}" if classes is not None else "…"
    fits = []
    if target < 0:
        fits.append(f"ignore_index={target} in the loss, when {target} marks places that do not count")
    else:
        if labels is not None and labels.low is not None and labels.low >= 1 and target == classes:
            fits.append(f"`{labels.name} - 1`: the classes are numbered from 1 on, and should be from 0 on")
        highest = max(target, int(labels.high) if labels is not None and labels.high is not None else target)
        fits.append(f"a last layer with {highest + 1} outputs")
    return explained(scene, title, *fits)


@explains(
    "lookup",
    r"index out of range in self",
)
def lookup(_match: Match[str], scene: Scene) -> Explanation | None:
    """`index out of range in self`, of an embedding or of index_select."""
    rows = scene.setting("num_embeddings")
    given = scene.taken_as("input")
    index = given if given is not None and "int" in given.dtype else scene.of_whole_numbers
    if not isinstance(rows, int):
        return explained(scene, f"`{scene.code}`: an index lies outside of the axis", "indices from 0 to its size - 1")
    found = "" if index is None or index.high is None or index.low is None else (
        f", and `{index.name}` holds {index.low:.0f} to {index.high:.0f}"
    )  # fmt: skip
    title = f"{scene.subject} has {rows} rows, numbered 0 to {rows - 1}{found}"
    width = scene.setting("embedding_dim")
    if index is not None and _counts_places(index) and index not in scene.operands:
        return explained(scene, title, *_shorter(scene, rows, index.shape[-1]))
    fits = []
    if index is not None and index.high is not None and index.high >= rows:
        fits.append(f"nn.Embedding({index.high + 1:.0f}, {width}), with a row for every index")
    if index is not None and index.low is not None and index.low < 0:
        fits.append("padding with a row of its own (padding_idx) instead of a negative number")
    if index is not None and _counts_places(index):
        return explained(scene, title, *fits, f"at most {rows} places in a sequence")
    return explained(scene, title, *fits, "the size of the vocabulary, not that of the data, as num_embeddings")


def _counts_places(index: Operand) -> bool:
    """Whether indices are 0, 1, 2, … along their last axis, as positions in a sequence are."""
    return bool(index.shape) and index.low == 0 and index.high == index.shape[-1] - 1 == math.prod(index.shape) - 1


def _shorter(scene: Scene, rows: int, length: int) -> list[str]:
    """What helps where a sequence has more places than a library's model knows."""
    long = next((each for each in scene.operands if length in each.shape), None)
    cut = f"at most {rows} places in a sequence; {named(long, 'this one')} has {length}"
    return [cut + (f": `{long.name}[:, :{rows}]`" if long and long.shape[1:] == (length,) else ""),
            f"a model made for {length} positions"]  # fmt: skip


@explains(
    "bag-lookup",
    r"Index \d+ of input takes value (-?\d+) which is not in the valid range \[0, (\d+)\)",
)
def bag(match: Match[str], scene: Scene) -> Explanation:
    """`Index 1 of input takes value 12 which is not in the valid range [0, 10)`."""
    title = f"{scene.subject} has {match[2]} rows, numbered 0 to {int(match[2]) - 1}, and was asked for {match[1]}"
    return explained(scene, title, f"num_embeddings of at least {int(match[1]) + 1}")


@explains(
    "position",
    r"index (-?\d+) is out of bounds for dimension (\d+) with size (\d+)",
)
def position(match: Match[str], scene: Scene) -> Explanation:
    """`index 7 is out of bounds for dimension 0 with size 5`."""
    index, axis, size = map(int, match.groups())
    tensor = next((each for each in scene.tensors if len(each.shape) > axis and each.shape[axis] == size), None)
    title = f"{named(tensor)} has {size} places in axis {axis}, numbered 0 to {size - 1}, and {index} was asked for"
    swapped = tensor is not None and any(
        count > index >= 0 for place, count in enumerate(tensor.shape) if place != axis
    )
    held = next((each for each in scene.tensors if each.high == index and "int" in each.dtype), None)
    lower = f": `{held.name}` holds {index}" if held is not None else ""
    fits = [
        "another axis: this one is shorter than others" if swapped else "",
        f"an index of at most {size - 1}{lower}",
    ]
    if held is not None and index == size and held.low is not None and held.low >= 1:
        fits.insert(0, f"`{held.name} - 1`: the places are numbered from 0 on")
    return explained(scene, title, *fits)


@explains(
    "axis",
    r"Dimension out of range \(expected to be in range of \[(-?\d+), (-?\d+)\], but got (-?\d+)\)",
)
def axis(match: Match[str], scene: Scene) -> Explanation:
    """`Dimension out of range (expected to be in range of [-2, 1], but got 2)`."""
    low, high, got = map(int, match.groups())
    tensor = scene.operand or scene.given
    axes = len(tensor.shape) if tensor is not None else high + 1
    shown = f"{named(tensor)} {list(tensor.shape)}" if tensor is not None else "the tensor"
    count = f"{axes} {'axis' if axes == 1 else 'axes'}"
    title = f"{shown} has {count}, so an axis is a number from {low} to {high}; {got} was asked for"
    return explained(scene, title, "dim=-1 for the last axis", f"an input with {got + 1} axes" if got > high else "")


@explains(
    "too-many-indices",
    r"too many indices for tensor of dimension (\d+)",
)
def too_many(match: Match[str], scene: Scene) -> Explanation:
    """`too many indices for tensor of dimension 1`."""
    tensor = scene.operand
    title = f"{named(tensor)} has {match[1]} axes, and `{scene.code}` has an index for more"
    return explained(scene, title, f"at most {match[1]} indices, separated by commas")


@explains(
    "mask-shape",
    rf"shape of the mask {SIZES} at index \d+ does not match the shape of the indexed tensor {SIZES}",
)
def mask(match: Match[str], scene: Scene) -> Explanation:
    """`The shape of the mask [3] at index 0 does not match the shape of the indexed tensor [5]`."""
    given, wanted = sizes(match[1]), sizes(match[2])
    masks: list[Operand] = [each for each in scene.operands if each.dtype in ("bool", "uint8")]
    name = masks[0].name if masks else "mask"
    title = f"the mask `{name}` is {list(given)}, and the tensor that it chooses from {list(wanted)}"
    return explained(scene, title, f"a mask that begins with the tensor's own sizes: {list(wanted[: len(given)])}")


@explains(
    "one-hot",
    r"Class values must be smaller than num_classes",
)
def one_hot(_match: Match[str], scene: Scene) -> Explanation:
    """`Class values must be smaller than num_classes.`"""
    labels = scene.taken_as("target") or scene.of_whole_numbers
    highest = int(labels.high) if labels is not None and labels.high is not None else None
    title = f"{named(labels)} holds a class that is not below num_classes"
    if highest is None:
        return explained(scene, title)
    return explained(scene, f"{title}: {highest}", f"num_classes={highest + 1}")


@explains(
    "index-axes",
    r"Index tensor must have the same number of dimensions as (?:input|self|src) tensor",
)
def index_axes(_match: Match[str], scene: Scene) -> Explanation:
    """`Index tensor must have the same number of dimensions as input tensor`, of gather and scatter."""
    index = scene.of_whole_numbers
    rest = "has as many axes as the tensor that it looks into"
    if index is None:
        return explained(scene, f"the index of `{scene.code}` {rest}", "`.unsqueeze(…)` on the index")
    title = f"the index of gather and scatter {rest}; `{index.name}` is {list(index.shape)}"
    column = f"`{index.name}.unsqueeze(1)` is [{index.shape[0]}, 1]: one index for each row; `.squeeze(1)` afterwards"
    return explained(scene, title, column if len(index.shape) == 1 else "`.unsqueeze(…)` on the index")


@explains(
    "index-size",
    rf"Size does not match at dimension (\d+) expected index {SIZES} to be (?:no larger|smaller) than self {SIZES}"
    r" apart from dimension (\d+)",
)
def index_size(match: Match[str], scene: Scene) -> Explanation:
    """`Size does not match at dimension 0 expected index [8, 1] to be no larger than self [4, 3] apart from …`."""
    axis, index, looked_into, along = int(match[1]), sizes(match[2]), sizes(match[3]), match[4]
    title = f"the index {list(index)} looks into {list(looked_into)} along axis {along}; in axis {axis} it has "
    title += f"{index[axis]} places, and only {looked_into[axis]} are there"
    return explained(scene, title, f"an index with at most {looked_into[axis]} in axis {axis}")


@explains(
    "too-many-largest",
    r"selected index k out of range",
)
def largest(_match: Match[str], scene: Scene) -> Explanation:
    """`selected index k out of range`."""
    tensor = scene.operand
    there = f": `{tensor.name}` has {tensor.shape[-1]} in its last axis" if tensor and tensor.shape else ""
    title = f"`{scene.code}` asks for more of the largest values than there are{there}"
    return explained(scene, title, "k=min(k, x.shape[-1])", "dim=…, when the values lie along another axis")
