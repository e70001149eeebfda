"""Tensors and models on different devices, and devices that are not there."""

from re import Match

from stetho.explaining.declare import explains
from stetho.explaining.phrases import explained, name_of
from stetho.explaining.scene import Explanation, Scene

FROM_META = "model.to_empty(device=…), then weights from a checkpoint or an initialisation"


@explains(
    "two-devices",
    r"same device, but found at least two devices, ([\w:]+) and ([\w:]+)",
    r"Tensor on device ([\w:]+) is not on the expected device ([\w:]+)",
)
def two_devices(match: Match[str], scene: Scene) -> Explanation:
    """`Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu`."""
    one, other = match[1].rstrip("!,."), match[2].rstrip("!,.")
    layer = scene.layer
    if layer is not None and layer.device is not None:
        wrong = next((each for each in scene.tensors if each.device != layer.device), None)
        name = name_of(wrong, "input")
        got = wrong.device if wrong is not None else (one if other == layer.device else other)
        title = f"{layer.shown} has its weights on {layer.device}, and `{name}` is on {got}"
        if layer.device == "meta":
            return explained(scene, f"{title}: weights on meta have a shape and no values", FROM_META)
        return explained(
            scene, title, f"`{name}.to('{layer.device}')`", f"the model: `model.to('{got}')` before training"
        )
    wrong = next((each for each in scene.tensors if each.device != one), None)
    name = name_of(wrong, "tensor")
    title = f"`{scene.code}` takes tensors on one device, and these are on {one} and {other}"
    return explained(
        scene, title, f"`{name}.to('{one}')`", "device=… where it is made, or register_buffer when a model holds it"
    )


@explains(
    "mixed-devices-conv",
    r"Input type \((torch\.cuda\.\w+|torch\.\w+)\) and (?:weight|bias) type"
    r" \((torch\.cuda\.\w+|torch\.\w+)\) should be the same",
)
def input_and_weight(match: Match[str], scene: Scene) -> Explanation:
    """`Input type (torch.cuda.FloatTensor) and weight type (torch.FloatTensor) should be the same`."""
    devices = ["cuda" if "cuda" in each else "cpu" for each in (match[1], match[2])]
    title = f"{scene.subject} has its weights on {devices[1]}, and its input is on {devices[0]}"
    name = scene.given.name if scene.given is not None else "input"
    return explained(scene, title, f"`{name}.to('{devices[1]}')`", f"the model: `model.to('{devices[0]}')`")


@explains(
    "no-cuda",
    r"Torch not compiled with CUDA enabled|No CUDA GPUs are available|Found no NVIDIA driver",
)
def no_cuda(_match: Match[str], scene: Scene) -> Explanation:
    """`Torch not compiled with CUDA enabled`, `No CUDA GPUs are available`."""
    title = (
        f"`{scene.code}` asks for a CUDA device, and this torch sees none" if scene.code else "there is no CUDA device"
    )
    return explained(
        scene,
        title,
        "device = 'cuda' if torch.cuda.is_available() else 'cpu', and that everywhere",
        "a build of torch with CUDA, and a driver: `nvidia-smi` tells",
    )


@explains(
    "unknown-device",
    r"device type at start of device string: (\w+)",
)
def unknown_device(match: Match[str], scene: Scene) -> Explanation:
    """`Expected one of cpu, cuda, … device type at start of device string: gpu`."""
    known = {"gpu": "cuda", "cuda0": "cuda:0", "metal": "mps", "apple": "mps"}
    title = f"there is no kind of device called {match[1]!r}"
    return explained(scene, title, f"'{known.get(match[1].lower(), 'cuda')}', 'cpu', 'mps'")


@explains(
    "no-data",
    r"Cannot copy out of meta tensor|cannot be called on meta tensors",
)
def no_data(_match: Match[str], scene: Scene) -> Explanation:
    """`Cannot copy out of meta tensor; no data`."""
    title = f"`{scene.code}`: a tensor on the device meta has a shape and no values"
    return explained(scene, title, FROM_META)
