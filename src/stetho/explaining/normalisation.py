"""Normalising layers: the number of features, the axes, batches of one."""

from re import Match

from stetho.explaining.declare import SIZES, explains
from stetho.explaining.phrases import explained, sizes
from stetho.explaining.scene import Explanation, Scene


@explains(
    "batch-norm-one-value",
    r"Expected more than 1 value per channel when training, got input size (.*)",
)
def one_value(match: Match[str], scene: Scene) -> Explanation:
    """`Expected more than 1 value per channel when training`."""
    shape = sizes(match[1])
    title = (
        f"{scene.subject} has one value per channel in {list(shape)}: a mean and a deviation of one value mean nothing"
    )
    return explained(
        scene,
        title,
        "DataLoader(…, drop_last=True): the last batch has one sample" if shape[:1] == (1,) else "",
        "model.eval() where nothing is trained",
        "nn.LayerNorm or nn.GroupNorm, which do not depend on the batch",
    )


@explains(
    "batch-norm-features",
    r"running_mean should contain (\d+) elements not (\d+)",
)
def features(match: Match[str], scene: Scene) -> Explanation:
    """`running_mean should contain 3 elements not 5`."""
    got, wanted = match[1], match[2]
    kind = scene.layer.kind if scene.layer else "BatchNorm"
    title = f"{scene.subject} was made for {wanted} features in axis 1, and its input has {got}"
    return explained(scene, title, f"a layer made for it: nn.{kind}({got})", f"an input with {wanted} in axis 1")


@explains(
    "batch-norm-axes",
    r"expected (\dD(?: or \dD)?) input \(got (\d)D input\)",
)
def axes(match: Match[str], scene: Scene) -> Explanation:
    """`expected 4D input (got 2D input)`."""
    wanted, got = match[1], int(match[2])
    fits = {2: "BatchNorm1d", 3: "BatchNorm1d", 4: "BatchNorm2d", 5: "BatchNorm3d"}
    title = f"{scene.subject} takes an input of {wanted} axes, and got one of {got}"
    return explained(scene, title, f"nn.{fits[got]}, which takes {got} axes" if got in fits else "")


@explains(
    "batch-norm-eps",
    r"batch_norm eps must be positive during training, but got (\S+)",
)
def eps(match: Match[str], scene: Scene) -> Explanation:
    """`batch_norm eps must be positive during training, but got 0.0`."""
    title = (
        f"{scene.subject} divides by the deviation of each channel plus eps, which is {match[1]}: a constant channel"
    )
    return explained(scene, f"{title} would be divided by 0", "eps=1e-5, as it is where nothing else is said")


@explains(
    "layer-norm-shape",
    rf"Given normalized_shape={SIZES}, .* but got input of size{SIZES}",
)
def normalized_shape(match: Match[str], scene: Scene) -> Explanation:
    """`Given normalized_shape=[10], expected input with shape [*, 10]`."""
    wanted, got = sizes(match[1]), sizes(match[2])
    tail = list(got[-len(wanted) :])
    title = f"{scene.subject} normalises the last axes {list(wanted)}; its input {list(got)} ends with {tail}"
    moved = len(wanted) == 1 and wanted[0] in got[:-1]
    name = scene.given.name if scene.given is not None else "input"
    fit = f"`{name}.transpose({got.index(wanted[0])}, -1)`: {wanted[0]} stands in another axis" if moved else ""
    return explained(scene, title, fit, f"a layer made for it: nn.LayerNorm({tail if len(tail) > 1 else tail[0]})")


@explains(
    "group-norm-groups",
    r"num_channels \((\d+)\) must be divisible by num_groups \((\d+)\)",
)
def group_channels(match: Match[str], scene: Scene) -> Explanation:
    """`num_channels (8) must be divisible by num_groups (3)`."""
    channels, groups = int(match[1]), int(match[2])
    divisors = [each for each in range(1, channels + 1) if channels % each == 0]
    title = f"{channels} channels cannot be dealt out to {groups} groups in equal parts"
    return explained(scene, title, f"num_groups of {', '.join(map(str, divisors))}")


@explains(
    "group-norm-channels",
    rf"Expected weight to be a vector of size equal .* weight of shape {SIZES} and input of shape {SIZES}",
)
def group_weight(match: Match[str], scene: Scene) -> Explanation:
    """`Expected weight to be a vector of size equal to the number of channels in input`."""
    (wanted,), got = sizes(match[1])[:1], sizes(match[2])
    title = f"{scene.subject} was made for {wanted} channels in axis 1, and its input {list(got)} has {got[1]}"
    return explained(scene, title, f"a layer made for it, with num_channels={got[1]}")
