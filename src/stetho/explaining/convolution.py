"""Convolutions and pooling: channels, axes, and images that became too small."""

from re import Match

from stetho.explaining.declare import SIZES, explains
from stetho.explaining.phrases import explained, sizes
from stetho.explaining.scene import Explanation, Scene

_LAYOUTS = {
    1: "[batch, channels, length]",
    2: "[batch, channels, height, width]",
    3: "[batch, channels, depth, height, width]",
}


@explains(
    "conv-channels",
    rf"expected input{SIZES} to have (\d+) channels, but got (\d+) channels",
)
def channels(match: Match[str], scene: Scene) -> Explanation:
    """`expected input[2, 1, 28, 28] to have 3 channels, but got 1 channels instead`."""
    shape, wanted, got = sizes(match[1]), int(match[2]), int(match[3])
    name = scene.given.name if scene.given is not None else "input"
    fits = []
    if len(shape) > 2 and shape[-1] == wanted:
        order = f"0, {len(shape) - 1}, {', '.join(map(str, range(1, len(shape) - 1)))}"
        moved = [shape[0], wanted, *shape[1:-1]]
        fits.append(f"channels come last here: `{name}.permute({order})` is {moved}, which fits")
    elif got == 1 and wanted > 1:
        repeated = f"{name}.repeat(1, {wanted}{', 1' * (len(shape) - 2)})"
        fits.append(f"a grey image in {wanted} channels: `{repeated}`")
    outputs, kind = scene.setting("out_channels"), scene.layer.kind if scene.layer else "Conv2d"
    if outputs is not None:
        fits.append(f"a layer made for it: nn.{kind}({got}, {outputs}, …)")
    title = f"{scene.subject} takes {wanted} channels in axis 1 of its input, and got {got}: {list(shape)}"
    return explained(scene, title, *fits)


@explains(
    "conv-axes",
    rf"Expected \dD .* input to conv(?:_transpose)?(\d)d, but got input of size: {SIZES}",
)
def axes(match: Match[str], scene: Scene) -> Explanation:
    """`Expected 3D (unbatched) or 4D (batched) input to conv2d`."""
    spatial, shape = int(match[1]), sizes(match[2])
    layout, name = _LAYOUTS[spatial], scene.given.name if scene.given is not None else "input"
    title = f"{scene.subject} takes {layout}; its input has {len(shape)} axes: {list(shape)}"
    wanted = scene.setting("in_channels")
    fits = []
    if len(shape) == spatial + 1:
        fits.append(f"`{name}.unsqueeze(1)` adds the axis of channels")
    elif len(shape) < spatial + 1:
        fits.append(f"`{name}.reshape({shape[0]}, {wanted or 'channels'}, …)` when the axes were flattened away")
    else:
        fits.append(f"nn.Conv{min(len(shape) - 2, 3)}d, which takes {len(shape)} axes")
    return explained(scene, title, *fits)


@explains(
    "conv-kernel",
    r"padded input size per channel: \(([\d x]+)\)\. Kernel size: \(([\d x]+)\)",
)
def kernel(match: Match[str], scene: Scene) -> Explanation:
    """`Kernel size can't be greater than actual input size`."""
    title = f"{scene.subject} has a kernel of {match[2]}, and its input is only {match[1]}, padding included"
    return explained(
        scene,
        title,
        "a larger input, or fewer layers before this one that make it smaller",
        "a smaller kernel_size, or more padding",
    )


@explains(
    "pooled-away",
    r"Given input size: \(([\dx]+)\)\. Calculated output size: \(([-\dx]+)\)",
)
def pooled_away(match: Match[str], scene: Scene) -> Explanation:
    """`Given input size: (3x1x1). Calculated output size: (3x0x0)`."""
    title = f"{scene.subject} would leave nothing of its input: {match[1]} becomes {match[2]}"
    return explained(
        scene, title, "a larger input, or fewer pooling layers before this one", "a smaller kernel_size or stride"
    )


@explains(
    "pooling-axes",
    r"non-empty (\dD or \dD) \(batch mode\) tensor expected for input",
)
def pooling_axes(match: Match[str], scene: Scene) -> Explanation:
    """`non-empty 3D or 4D (batch mode) tensor expected for input`."""
    shape = list(scene.given.shape) if scene.given is not None else []
    title = f"{scene.subject} takes {match[1]} axes, [batch, channels, …], none of them empty; its input is {shape}"
    return explained(scene, title, "an input that keeps its axes of space: no flatten or view before this layer")


@explains(
    "conv-groups",
    r"(?:in|out)_channels must be divisible by groups",
)
def groups(_match: Match[str], scene: Scene) -> Explanation:
    """`in_channels must be divisible by groups`."""
    title = f"`{scene.code}`: channels are dealt out to groups in equal parts"
    return explained(scene, title, "numbers of channels that are multiples of `groups`")
