"""Types of numbers that do not go together: inputs and weights, indices, targets, masks."""

from re import Match

from stetho.explaining.declare import explains
from stetho.explaining.phrases import cast, dtype_of, explained, name_of, named
from stetho.explaining.scene import Explanation, Scene


@explains(
    "mixed-types",
    r"(?:mat1 and mat2|m1 and m2|self and mat2) (?:must|to) have the same dtype, but got (\w+) and (\w+)",
    r"expected m1 and m2 to have the same dtype, but got: ([\w: ]+) != ([\w: ]+)",
    r"Input type \(([\w: ]+)\) and (?:weight|bias) type \(([\w: ]+)\) should be the same",
)
def mixed(match: Match[str], scene: Scene) -> Explanation:
    """`mat1 and mat2 must have the same dtype, but got Double and Float`, and its kin."""
    got, wanted = dtype_of(match[1]), dtype_of(match[2])
    tensor = scene.of_dtype(got) or scene.given
    name = name_of(tensor, "input")
    if scene.layer is not None and scene.layer.dtype is not None:
        wanted = scene.layer.dtype
        title = f"{scene.subject} computes in {wanted}, as its weights are, and was given {got}"
    else:
        title = (
            f"{named(scene.of_dtype(got), 'one side')} is {got}, {named(scene.of_dtype(wanted), 'the other')} {wanted}"
        )
    numpy = "numpy makes float64 where nothing else is said: .astype('float32') at the source"
    return explained(
        scene,
        title,
        f"`{name}{cast(wanted)}`",
        f"a model in {got}: `model{cast(got)}`" if scene.layer is not None and got in ("float16", "bfloat16") else "",
        "torch.autocast, when lower precision is wanted" if "float16" in got + wanted else "",
        numpy if got == "float64" else "",
    )


@explains(
    "wanted-type",
    r"expected scalar type (\w+) but found (\w+)",
)
def wanted_type(match: Match[str], scene: Scene) -> Explanation:
    """`expected scalar type Long but found Float`."""
    wanted, got = dtype_of(match[1]), dtype_of(match[2])
    tensor = scene.of_dtype(got)
    title = f"{scene.subject} wants {wanted} and got {got}"
    return explained(scene, title, f"`{name_of(tensor, 'tensor')}{cast(wanted)}`")


@explains(
    "found-type",
    r"Found dtype (\w+) but expected (\w+)",
)
def found_type(match: Match[str], scene: Scene) -> Explanation:
    """`Found dtype Long but expected Float`."""
    got, wanted = dtype_of(match[1]), dtype_of(match[2])
    tensor = scene.of_dtype(got)
    title = f"{named(tensor, 'a tensor')} is {got} where {wanted} is wanted, as the other one is"
    return explained(scene, title, f"`{name_of(tensor, 'tensor')}{cast(wanted)}`")


@explains(
    "result-type",
    r"result type (\w+) can't be cast to the desired output type (\w+)",
)
def result_type(match: Match[str], scene: Scene) -> Explanation:
    """`result type Float can't be cast to the desired output type Long`."""
    wanted, got = dtype_of(match[1]), dtype_of(match[2])
    tensor = scene.of_dtype(got)
    title = f"{named(tensor, 'a tensor')} holds {got}, which cannot take a result in {wanted}"
    return explained(scene, title, f"`{name_of(tensor, 'tensor')}{cast(wanted)}` before it")


@explains(
    "target-type",
    r"expected target dtype to be Long or Byte, but got (\w+)",
)
def target_type(match: Match[str], scene: Scene) -> Explanation:
    """`expected target dtype to be Long or Byte, but got Float`."""
    got = dtype_of(match[1])
    tensor = scene.taken_as("target") or next((each for each in reversed(scene.tensors) if each.dtype == got), None)
    name = name_of(tensor, "target")
    title = f"a target of classes holds their numbers as int64; `{name}` is {got}"
    return explained(
        scene,
        title,
        f"`{name}.long()`, when it holds numbers of classes",
        "a target as large as the input, when it holds a probability for each class" if got.startswith("float") else "",
    )


@explains(
    "index-type",
    r"'indices' to have one of the following scalar types: Long, Int; but got ([\w.]+) instead",
)
def index_type(match: Match[str], scene: Scene) -> Explanation:
    """`Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int`."""
    got = dtype_of(match[1])
    tensor = scene.of_dtype(got)
    name = name_of(tensor, "indices")
    return explained(scene, f"{scene.subject} looks rows up by whole numbers; `{name}` is {got}", f"`{name}.long()`")


@explains(
    "indexing-type",
    r"tensors used as indices must be long|Expected dtype int(?:32/int)?64 for index|only applicable to"
    r" index tensor",
)
def indexing_type(_match: Match[str], scene: Scene) -> Explanation:
    """`tensors used as indices must be long, int, byte or bool tensors`, and the like of gather and one_hot."""
    # The first tensor is the one that is looked into, unless it stands alone, as in one_hot(x).
    others = scene.tensors[1:] or (() if ".gather(" in scene.code else scene.tensors)
    tensor = next((each for each in others if "float" in each.dtype), None)
    name = name_of(tensor, "index")
    got = f"; `{name}` is {tensor.dtype}" if tensor is not None else ""
    title = f"`{scene.code}`: an index is a whole number, or a mask of bools{got}"
    return explained(scene, title, f"`{name}.long()`", f"`{name}.bool()`, when it is a mask")


@explains(
    "mask-type",
    r"only supports boolean masks, but got mask with dtype ([\w ]+)",
)
def mask_type(match: Match[str], scene: Scene) -> Explanation:
    """`masked_fill_ only supports boolean masks, but got mask with dtype float`."""
    got = dtype_of(match[1])
    tensor = next((each for each in reversed(scene.tensors) if each.dtype == got), None)
    name = name_of(tensor, "mask")
    return explained(scene, f"a mask is a tensor of bools; `{name}` is {got}", f"`{name}.bool()`, or `{name} == 0`")


@explains(
    "mean-of-whole-numbers",
    r"(\w+)\(\): could not infer output dtype.*Got: (\w+)",
)
def whole_numbers(match: Match[str], scene: Scene) -> Explanation:
    """`mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype`."""
    name = scene.given.name if scene.given is not None else "tensor"
    title = f"{match[1]}() of whole numbers ({dtype_of(match[2])}) is not defined"
    return explained(scene, title, f"`{name}.float().{match[1]}()`")


@explains(
    "gradient-of-whole-numbers",
    r"[Oo]nly Tensors of floating point (?:and complex )?dtype can require gradients",
)
def gradient_of_whole_numbers(_match: Match[str], scene: Scene) -> Explanation:
    """`Only Tensors of floating point and complex dtype can require gradients`."""
    title = f"`{scene.code}`: whole numbers and bools have no gradient"
    return explained(scene, title, "dtype=torch.float32, or `.float()` before requires_grad is set")


@explains(
    "written-type",
    r"(scatter|index_\w+|masked_scatter)\w*\(\): ?.*[Ee]xpected self.*dtype.* (?:src|source)",
    r"(Index put) requires the source and destination dtypes match",
)
def written_type(match: Match[str], scene: Scene) -> Explanation:
    """`scatter(): Expected self.dtype to be equal to src.dtype`."""
    types = list(dict.fromkeys(each.dtype for each in scene.tensors if not each.dtype.startswith(("int", "bool"))))
    shown = f": {' and '.join(types)}" if len(types) > 1 else ""
    title = f"`{scene.code}`: what {match[1]} writes and what it writes to are of different types{shown}"
    return explained(scene, title, "`source.to(target.dtype)`; under autocast one of the two may be half precision")


@explains(
    "difference-of-bools",
    r"Subtraction, the `-` operator, with (?:two bool tensors|a bool tensor) is not supported",
)
def difference_of_bools(_match: Match[str], scene: Scene) -> Explanation:
    """`Subtraction, the `-` operator, with two bool tensors is not supported`."""
    tensor = scene.of_dtype("bool")
    title = f"`{scene.code}`: {named(tensor, 'a tensor')} holds truth values, which cannot be subtracted"
    name = name_of(tensor, "mask")
    return explained(scene, title, f"`~{name}`, for one minus a mask", f"`{name}.float()`, for numbers")


@explains(
    "not-a-tensor",
    r"(\w+)\(\): argument '(\w+)' \(position \d+\) must be Tensor, not ([\w.]+)",
)
def not_a_tensor(match: Match[str], scene: Scene) -> Explanation:
    """`linear(): argument 'input' (position 1) must be Tensor, not tuple`."""
    function, argument, got = match.groups()
    cures = {
        "tuple": "the first element of it: nn.LSTM, nn.GRU and attention give back a tuple, `output, state = layer(x)`",
        "list": "torch.tensor(…) for numbers, torch.stack(…) for tensors",
        "NoneType": "the `return` that is missing: a function without one gives back None",
        "ndarray": "torch.from_numpy(…), with .float() when the numbers are float64",
        "dict": "the tensor in it, by its key",
    }
    title = f"{scene.subject}: {function}() takes a tensor as `{argument}`, and got a {got}"
    return explained(scene, title, cures.get(got.rpartition(".")[2], ""))


@explains(
    "not-implemented",
    r"\"(\w+)\" not implemented for '(\w+)'",
)
def not_implemented(match: Match[str], scene: Scene) -> Explanation:
    """`"linalg_svd_cpu" not implemented for 'Half'`."""
    got = dtype_of(match[2])
    tensor = scene.of_dtype(got)
    name = name_of(tensor, "tensor")
    title = f"there is no {match[1]} for {got} on this device"
    return explained(scene, title, f"`{name}.float()` before it" + (f", `{cast(got)}` after" if "float" in got else ""))
