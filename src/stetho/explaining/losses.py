"""Losses whose input and target do not go together."""

from re import Match

from stetho.explaining.declare import BRACED, SIZES, explains
from stetho.explaining.phrases import dtype_of, explained, name_of, sizes
from stetho.explaining.scene import Explanation, Operand, Scene


def _target(scene: Scene) -> Operand | None:
    """What the loss takes as its target, or the second tensor that it was given."""
    known = scene.taken_as("target")
    if known is not None:
        return known
    pair = scene.operands if len(scene.operands) > 1 else scene.arguments
    return pair[1] if len(pair) > 1 else None


@explains(
    "target-size",
    rf"Target size {BRACED} must be the same as input size {BRACED}",
    rf"Using a target size {BRACED} that is different to the input size {BRACED}",
)
def same_size(match: Match[str], scene: Scene) -> Explanation:
    """`Target size (torch.Size([4])) must be the same as input size (torch.Size([4, 1]))`."""
    target, given = sizes(match[1]), sizes(match[2])
    one = scene.of_shape(given)
    name = target_name = "target"
    tensor = scene.of_shape(target)
    target_name = name_of(tensor, "target")
    name = name_of(one, "input")
    title = f"the loss compares element by element: `{name}` is {list(given)}, `{target_name}` {list(target)}"
    fits = []
    if given == (*target, 1):
        fits += [f"`{name}.squeeze(-1)` is {list(target)}", f"`{target_name}.unsqueeze(-1)` is {list(given)}"]
    elif len(given) == 2 and len(target) == 1 and given[0] == target[0]:
        fits.append(f"nn.CrossEntropyLoss, when `{target_name}` holds numbers of classes")
        fits.append(f"F.one_hot(`{target_name}`, {given[1]}).float(), when each class is a yes or no")
    elif len(given) == len(target) and given[0] != target[0]:
        fits.append(f"as many samples on both sides; here {given[0]} and {target[0]}")
    return explained(scene, title, *fits)


@explains(
    "loss-batch-sizes",
    r"Expected input batch_size \((\d+)\) to match target batch_size \((\d+)\)",
)
def batch_sizes(match: Match[str], scene: Scene) -> Explanation:
    """`Expected input batch_size (4) to match target batch_size (5)`."""
    given, target = int(match[1]), int(match[2])
    title = f"the loss got scores for {given} samples and targets for {target}"
    fits = ["the same samples on both sides: look where one of them was sliced, flattened or reshaped"]
    if target and given % target == 0:
        fits.insert(
            0, f"a batch that stays in axis 0: {given} is {given // target} times {target}, as after a view(-1, …)"
        )
    return explained(scene, title, *fits)


@explains(
    "several-targets",
    r"0D or 1D target tensor expected, multi-target not supported",
)
def several_targets(_match: Match[str], scene: Scene) -> Explanation:
    """`0D or 1D target tensor expected, multi-target not supported`."""
    target = _target(scene)
    name, shape = (target.name, target.shape) if target is not None else ("target", ())
    title = f"cross entropy takes one class number for each sample; `{name}` is {list(shape)}"
    scores = scene.taken_as("input") or scene.operand or scene.given
    fits = []
    if shape[-1:] == (1,):
        fits.append(f"`{name}.squeeze(1)` is [{shape[0]}], which fits")
    elif scores is not None and shape == scores.shape:
        fits.append(f"`{name}.argmax(1)`, when it is one-hot; `{name}.float()`, when it holds probabilities")
    elif scores is not None and len(shape) > 1:
        fits.append(f"a target as large as the input, {list(scores.shape)}, when it holds probabilities")
        fits.append(f"input and target flattened alike, when there are {shape[1]} targets in a sample")
    return explained(scene, title, *fits)


@explains(
    "class-probabilities",
    r"Expected floating point type for target with class probabilities, got (\w+)",
)
def class_probabilities(match: Match[str], scene: Scene) -> Explanation:
    """`Expected floating point type for target with class probabilities, got Long`."""
    target = _target(scene)
    name = name_of(target, "target")
    title = f"`{name}` is as large as the input, so it holds a probability for each class, and is {dtype_of(match[1])}"
    return explained(scene, title, f"`{name}.argmax(1)`, when it is one-hot", f"`{name}.float()`")


@explains(
    "class-weights",
    rf"weight tensor should be defined either for all (\d+) classes .* of shape: {SIZES}",
)
def class_weights(match: Match[str], scene: Scene) -> Explanation:
    """`weight tensor should be defined either for all 3 classes or no classes`."""
    classes, given = match[1], sizes(match[2])
    title = f"there are {classes} classes and {given[0]} weights for them"
    return explained(scene, title, f"`weight` with {classes} values, one for each class")


@explains(
    "loss-places",
    rf"size mismatch \(got input: {SIZES} ?, target: {SIZES}",
)
def places(match: Match[str], scene: Scene) -> Explanation:
    """`size mismatch (got input: [4, 3, 8, 8] , target: [4, 9, 9]`."""
    given, target = sizes(match[1]), sizes(match[2])
    wanted = [given[0], *given[2:]]
    title = f"the input {list(given)} has scores for {wanted}, [batch, places…], and the target is {list(target)}"
    resized = f"F.interpolate(input, size={list(target[1:])}), when the scores are of another size"
    return explained(scene, title, f"a target of {wanted}", resized)


@explains(
    "probabilities",
    r"all elements of input should be between 0 and 1",
)
def probabilities(_match: Match[str], scene: Scene) -> Explanation:
    """`all elements of input should be between 0 and 1`."""
    scores = scene.taken_as("input") or scene.operand or scene.given
    name = name_of(scores, "input")
    found = (
        f", and `{name}` goes from {scores.low:.4g} to {scores.high:.4g}" if scores and scores.low is not None else ""
    )
    title = f"binary cross entropy takes probabilities{found}"
    return explained(
        scene,
        title,
        "nn.BCEWithLogitsLoss on the plain scores, which is also safer in its numbers",
        f"`torch.sigmoid({name})` before nn.BCELoss",
        "a look for NaN: it is not between 0 and 1 either",
    )


@explains(
    "drawn-probabilities",
    r"probability tensor contains either",
)
def not_probabilities(_match: Match[str], scene: Scene) -> Explanation:
    """`probability tensor contains either inf, nan or element < 0`."""
    title = f"`{scene.code}` draws by probabilities, and one of them is negative, infinite or NaN"
    return explained(
        scene, title, "torch.softmax(scores, -1) as the probabilities", "a look at where the NaN comes from"
    )


@explains(
    "distribution",
    r"Expected parameter (\w+) .*of distribution (\w+)\(",
)
def distribution(match: Match[str], scene: Scene) -> Explanation:
    """`Expected parameter logits … of distribution Categorical(…) to satisfy the constraint`."""
    title = f"{match[2]} was given a `{match[1]}` that it cannot have: NaN, or out of its range"
    finite = f"a `{match[1]}` that is finite: most often the network's weights have become NaN"
    if "GreaterThan" in scene.message and "nan" not in scene.message:
        return explained(scene, title, f"a `{match[1]}` above 0: F.softplus(x) + 1e-6, or x.exp()", finite)
    return explained(scene, title, finite)


@explains(
    "target-places",
    rf"Expected target size {SIZES}, got {SIZES}",
)
def target_places(match: Match[str], scene: Scene) -> Explanation:
    """`Expected target size [4, 7], got [4, 6]`."""
    wanted, got = sizes(match[1]), sizes(match[2])
    title = f"scores are [batch, classes, …places], so the target is {list(wanted)} here, and it is {list(got)}"
    scores = next((each for each in scene.tensors if len(each.shape) == 3 and each.shape[:2] == got), None)
    turned = f"`{scores.name}.transpose(1, 2)`: the classes belong into axis 1" if scores is not None else ""
    return explained(scene, title, turned, f"a target of {list(wanted)}: one class for each place")


@explains(
    "alignment-lengths",
    r"Expected (input|target)_lengths to have value at most (\d+), but got value (\d+)",
)
def alignment_lengths(match: Match[str], scene: Scene) -> Explanation:
    """`Expected input_lengths to have value at most 10, but got value 12`."""
    what, most, got = match.groups()
    axis = "the scores go over" if what == "input" else "the targets have"
    title = f"a length in {what}_lengths is {got}, and {axis} {most} places only"
    return explained(
        scene,
        title,
        f"lengths of at most {most}: those before a layer with a stride are longer than those after it",
        "scores as [time, batch, classes]" if what == "input" else "",
    )


@explains(
    "reduction-name",
    r"(\w+) is not a valid value for reduction",
)
def reduction_name(match: Match[str], scene: Scene) -> Explanation:
    """`avg is not a valid value for reduction`."""
    title = f"`{scene.code}`: there is no reduction `{match[1]}`"
    return explained(scene, title, "'mean', 'sum' or 'none'", "'batchmean', of kl_div alone")
