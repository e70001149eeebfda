"""Models that are not put together as a module wants it."""

from difflib import get_close_matches
from re import Match

from stetho.explaining.declare import SIZES, explains
from stetho.explaining.phrases import explained, sizes
from stetho.explaining.scene import Explanation, Scene


@explains(
    "module-before-init",
    r"cannot assign (module|parameters?|buffers?) before Module\.__init__\(\) call",
)
def before_init(match: Match[str], scene: Scene) -> Explanation:
    """`cannot assign module before Module.__init__() call`."""
    title = f"`{scene.code}` comes before the module itself was set up, so the {match[1]} cannot be registered"
    return explained(scene, title, "super().__init__() as the first line of __init__")


@explains(
    "no-forward",
    r"Module \[(\w+)\] is missing the required \"forward\" function",
)
def no_forward(match: Match[str], scene: Scene) -> Explanation:
    """`Module [Net] is missing the required "forward" function`."""
    if match[1] in ("ModuleList", "ModuleDict"):
        title = f"nn.{match[1]} only holds layers: it does not say in which order they are called"
        return explained(
            scene, title, "for layer in self.layers: x = layer(x)", "nn.Sequential, which is called itself"
        )
    title = f"{match[1]} has no method `forward`: is it spelled otherwise, or indented into __init__?"
    return explained(scene, title, "def forward(self, x): in the class itself")


@explains(
    "no-attribute",
    r"'(\w+)' object has no attribute '(\w+)'",
)
def no_attribute(match: Match[str], scene: Scene) -> Explanation | None:
    """`'Net' object has no attribute 'fc'`, of a module."""
    if scene.layer is None or scene.layer.kind != match[1]:
        return None
    known = scene.setting("children")
    names = [name for name in known if isinstance(name, str)] if isinstance(known, tuple) else []
    title = f"{scene.subject} has no layer or attribute `{match[2]}`"
    shown = f"; it has {', '.join(f'`{name}`' for name in names[:8])}" if names else ""
    meant = [f"`self.{name}`, when that is meant" for name in get_close_matches(match[2], names, 1)]
    return explained(scene, title + shown, *meant, f"self.{match[2]} = … in __init__, after super().__init__()")


@explains(
    "parameter-value",
    r"cannot assign '([\w.]+)' (?:object )?(?:to|as) parameter '(\w+)'",
)
def parameter_value(match: Match[str], scene: Scene) -> Explanation:
    """`cannot assign 'torch.FloatTensor' as parameter 'weight'`."""
    title = f"`{match[2]}` is a parameter, and a {match[1].rpartition('.')[2]} cannot take its place"
    return explained(
        scene, title, "nn.Parameter(…) around it", "with torch.no_grad(): …copy_(values), to keep the parameter"
    )


@explains(
    "missing-argument",
    r"(\w+)\.forward\(\) missing \d+ required positional arguments?: (.+)",
)
def missing_argument(match: Match[str], scene: Scene) -> Explanation:
    """`Net.forward() missing 1 required positional argument: 'mask'`."""
    title = f"{match[1]}.forward takes {match[2]}, and was called without"
    return explained(scene, title, "the argument in the call of the model, or a default in forward")


@explains(
    "too-many-arguments",
    r"(\w+)\.forward\(\) takes (?:from \d+ to )?(\d+) positional arguments? but (\d+) (?:was|were) given",
)
def too_many_arguments(match: Match[str], scene: Scene) -> Explanation:
    """`Linear.forward() takes 2 positional arguments but 3 were given`."""
    takes, got = int(match[2]) - 1, int(match[3]) - 1
    title = f"{match[1]}.forward takes {takes} argument{'s' if takes != 1 else ''}, and was called with {got}"
    return explained(
        scene,
        title,
        "one tensor: torch.cat([a, b], dim=-1), when several are to go in together",
        "a module of your own in the place of nn.Sequential, which hands one value from layer to layer",
        "forward(self, …) with another argument: the first is always the module itself",
    )


@explains(
    "unknown-argument",
    r"(\w+)\.forward\(\) got an unexpected keyword argument '(\w+)'",
)
def unknown_argument(match: Match[str], scene: Scene) -> Explanation:
    """`Net.forward() got an unexpected keyword argument 'labels'`."""
    title = f"{match[1]}.forward has no argument `{match[2]}`"
    return explained(scene, title, f"the call without `{match[2]}`, or an argument of that name in forward")


@explains(
    "dropout-share",
    r"dropout probability has to be between 0 and 1, but got (\S+)",
)
def dropout(match: Match[str], scene: Scene) -> Explanation:
    """`dropout probability has to be between 0 and 1, but got 1.5`."""
    value = float(match[1])
    share = f"p={value / 100:g}, when {value:g} % were meant" if 1 < value <= 100 else ""
    return explained(scene, f"the share of values that dropout leaves out is {match[1]}", share, "p from 0 to 1")


@explains(
    "interpolation-mode",
    r"Got (\d)D input, but (\w+) mode needs (\d)D input",
)
def interpolation_mode(match: Match[str], scene: Scene) -> Explanation:
    """`Got 3D input, but bilinear mode needs 4D input`."""
    got, mode, wanted = match.groups()
    mend = {"3": "linear", "4": "bilinear", "5": "trilinear"}.get(got, "nearest")
    title = f"{scene.subject}: mode '{mode}' resizes {wanted} axes, batch and channels among them, and got {got}"
    name = scene.given.name if scene.given is not None else "input"
    batch = f"`{name}.unsqueeze(0)`, when the batch is missing" if int(wanted) == int(got) + 1 else ""
    return explained(scene, title, batch, f"mode='{mend}'")


@explains(
    "padding-size",
    r"Padding size should be less than the corresponding input dimension, but got: padding \((\d+), (\d+)\) at"
    r" dimension (\d+) of input \[?([\d, ]+)\]?",
)
def padding_size(match: Match[str], scene: Scene) -> Explanation:
    """`Padding size should be less than the corresponding input dimension, but got: padding (5, 5) at dimension 3`."""
    axis, shape = int(match[3]), [int(size) for size in match[4].replace(" ", "").split(",") if size]
    size = shape[axis] if axis < len(shape) else 0
    title = (
        f"{scene.subject} reflects {match[1]} and {match[2]} values at the ends of axis {axis}, which has only {size}"
    )
    return explained(scene, title, f"at most {size - 1} on each side" if size else "", "mode='constant' or 'replicate'")


@explains(
    "interpolation-axes",
    r"Only 3D, 4D and 5D input Tensors supported \(got (\d)D\)",
)
def interpolation(match: Match[str], scene: Scene) -> Explanation:
    """`Only 3D, 4D and 5D input Tensors supported (got 2D) for the modes`."""
    title = f"{scene.subject} resizes [batch, channels, …places], and got {match[1]} axes"
    name = scene.given.name if scene.given is not None else "input"
    return explained(scene, title, f"`{name}[None, None]`, which adds batch and channels" if match[1] == "2" else "")


@explains(
    "interpolation-size",
    rf"the same number of spatial dimensions, but got input with spatial dimensions of {SIZES} and output size of"
    r" [(\[]([\d, ]+)",
)
def interpolated_axes(match: Match[str], scene: Scene) -> Explanation:
    """`Input and output must have the same number of spatial dimensions`."""
    places, size = sizes(match[1]), sizes(match[2])
    title = f"{scene.subject} is to resize [batch, channels, …places] to {list(size)}, and its input has the places "
    name = scene.given.name if scene.given is not None else "input"
    lacks = len(size) == len(places) + 1
    return explained(scene, f"{title}{list(places)}", f"`{name}[None]`, when the batch is missing" if lacks else "")


@explains(
    "none",
    r"'NoneType' object has no attribute '(\w+)'",
)
def none(match: Match[str], scene: Scene) -> Explanation:
    """`'NoneType' object has no attribute 'mean'`, of a gradient that is not there, or of what a function gave."""
    title = f"`{scene.code}`: what `.{match[1]}` is asked of is None"
    if ".grad" in scene.code:
        without = "`if p.grad is not None`: a parameter that the loss does not depend on has no gradient"
        return explained(scene, title, "loss.backward() before it", without)
    return explained(scene, title, "the `return` that is missing: a function without one, as forward, gives back None")


@explains(
    "pixel-shuffle",
    r"pixel_shuffle expects .* input\.size\(-3\)=(\d+) is not divisible by (\d+)",
)
def shuffled_pixels(match: Match[str], scene: Scene) -> Explanation:
    """`pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of upscale_factor`."""
    got, square = int(match[1]), int(match[2])
    title = f"{scene.subject} makes one channel out of {square}, and {got} channels are no multiple of it"
    return explained(scene, title, f"{(got // square + 1) * square} channels before it")


@explains(
    "not-a-module",
    r"(\S+) is not a Module subclass",
)
def not_a_module(match: Match[str], scene: Scene) -> Explanation:
    """`torch.relu is not a Module subclass`."""
    name = match[1].rpartition(".")[2]
    title = f"`{scene.code}` holds layers, and `{name}` is none: it is a function, or something else"
    return explained(scene, title, "nn.ReLU(), nn.Flatten(), …, the layer for the function", "the call in forward")


@explains(
    "dotted-name",
    r"module name can\\?'t contain \"\.\", got: ([^'\s]+)",
)
def dotted_name(match: Match[str], scene: Scene) -> Explanation:
    """`module name can't contain ".", got: a.b`."""
    title = f"`{match[1]}` cannot be the name of a layer: the dot stands between a layer and what is in it"
    return explained(scene, title, f"`{match[1].replace('.', '_')}`")


@explains(
    "padding-index",
    r"Padding_idx must be within num_embeddings",
)
def padding_index(_match: Match[str], scene: Scene) -> Explanation:
    """`Padding_idx must be within num_embeddings`."""
    title = f"`{scene.code}`: the row for padding is not in the table"
    return explained(scene, title, "num_embeddings=len(vocabulary), with padding counted", "padding_idx=0")
