"""Recurrent layers: features, hidden states, axes, packed sequences."""

from re import Match

from stetho.explaining.declare import explains
from stetho.explaining.phrases import explained, sizes
from stetho.explaining.scene import Explanation, Scene


def _layout(scene: Scene) -> str:
    first = scene.setting("batch_first")
    return "[batch, time, features]" if first else "[time, batch, features]"


@explains(
    "recurrent-input",
    r"input\.size\(-1\) must be equal to input_size\. Expected (\d+), got (\d+)",
)
def input_size(match: Match[str], scene: Scene) -> Explanation:
    """`input.size(-1) must be equal to input_size. Expected 10, got 8`."""
    wanted, got = int(match[1]), int(match[2])
    kind, hidden = (scene.layer.kind if scene.layer else "LSTM"), scene.setting("hidden_size")
    given = scene.given
    fits = [f"a layer made for it: nn.{kind}({got}, {hidden}, …)"]
    if given is not None and wanted in given.shape[:-1]:
        axis = given.shape.index(wanted)
        fits.insert(0, f"`{given.name}.transpose({axis}, -1)`: {wanted} stands in axis {axis}")
    layout = f", {_layout(scene)}" if kind in ("LSTM", "GRU", "RNN") else ""
    title = f"{scene.subject} takes {wanted} features in the last axis of its input{layout}, and got {got}"
    return explained(scene, title, *fits)


@explains(
    "recurrent-cell-input",
    r"input has inconsistent input_size: got (\d+),? expected (\d+)",
)
def cell_input(match: Match[str], scene: Scene) -> Explanation:
    """`input has inconsistent input_size: got 8 expected 10`."""
    got, wanted = match[1], match[2]
    kind, hidden = (scene.layer.kind if scene.layer else "LSTMCell"), scene.setting("hidden_size")
    title = f"{scene.subject} takes {wanted} features, and got {got}"
    return explained(scene, title, f"a layer made for it: nn.{kind}({got}, {hidden})")


@explains(
    "recurrent-hidden",
    r"Expected hidden(\[\d\])? size (\([\d, ]+\)), got (\[[\d, ]+\])",
)
def hidden_size(match: Match[str], scene: Scene) -> Explanation:
    """`Expected hidden[0] size (1, 3, 20), got [1, 2, 20]`."""
    wanted, got = sizes(match[2]), sizes(match[3])
    words = ("number of layers and directions", "batch", "hidden size")
    differing = [word for word, one, other in zip(words, wanted, got, strict=False) if one != other]
    told = ", the ".join(differing)
    title = f"{scene.subject} wants a hidden state of {list(wanted)}, and got {list(got)}: the {told} differs"
    fits = [f"torch.zeros{wanted}"]
    if "batch" in differing:
        other = "False" if scene.setting("batch_first") else "True"
        fits.append(f"batch_first={other}, when the input is not {_layout(scene)}")
        fits.append("a state made anew for each batch, or drop_last=True: the last batch may be smaller")
    return explained(scene, title, *fits)


@explains(
    "recurrent-hidden-axes",
    r"For \w+ (\d)-D input, .* should also be \d-D but got (?:\()?(\d)-?D?",
)
def hidden_axes(match: Match[str], scene: Scene) -> Explanation:
    """`For batched 3-D input, hx should also be 3-D but got 2-D tensor`."""
    title = f"{scene.subject} got an input of {match[1]} axes and a hidden state of {match[2]}"
    wanted = "[layers, batch, hidden size]" if match[1] == "3" else "[layers, hidden size]"
    return explained(scene, title, f"a hidden state of {wanted}")


@explains(
    "recurrent-axes",
    r"Expected input to be 2D or 3D, got (\d)D instead",
)
def axes(match: Match[str], scene: Scene) -> Explanation:
    """`LSTM: Expected input to be 2D or 3D, got 4D instead`."""
    title = f"{scene.subject} takes {_layout(scene)}, or the same without a batch, and got {match[1]} axes"
    name = scene.given.name if scene.given is not None else "input"
    return explained(
        scene, title, f"`{name}.flatten(2)`, which makes one axis of features" if int(match[1]) > 3 else ""
    )


@explains(
    "packed-order",
    r"`lengths` array must be sorted in decreasing order",
)
def lengths_order(_match: Match[str], scene: Scene) -> Explanation:
    """`lengths array must be sorted in decreasing order when enforce_sorted is True`."""
    title = f"`{scene.code}` wants the longest sequence first"
    return explained(scene, title, "enforce_sorted=False")


@explains(
    "packed-empty",
    r"Length of all samples has to be greater than 0",
)
def empty_sequence(_match: Match[str], scene: Scene) -> Explanation:
    """`Length of all samples has to be greater than 0`."""
    title = f"`{scene.code}` was given a sequence of length 0"
    return explained(scene, title, "a dataset without empty sequences, or lengths.clamp(min=1)")


@explains(
    "recurrent-type",
    r"RNN input dtype \(([\w.]+)\) does not match weight dtype \(([\w.]+)\)",
)
def input_type(match: Match[str], scene: Scene) -> Explanation:
    """`RNN input dtype (torch.float64) does not match weight dtype (torch.float32)`."""
    name = scene.given.name if scene.given is not None else "input"
    got, wanted = match[1].removeprefix("torch."), match[2].removeprefix("torch.")
    title = f"{scene.subject} computes in {wanted}, as its weights are, and was given {got}"
    return explained(scene, title, f"`{name}.to(torch.{wanted})`")
