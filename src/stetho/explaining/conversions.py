"""Tensors used as plain numbers or truth values, and the other way round."""

from re import Match

from stetho.explaining.declare import explains
from stetho.explaining.phrases import explained, name_of, named
from stetho.explaining.scene import Explanation, Scene


@explains(
    "one-number",
    r"a Tensor with \d+ elements cannot be converted to Scalar|only one element tensors can be converted",
)
def one_number(_match: Match[str], scene: Scene) -> Explanation:
    """`a Tensor with 3 elements cannot be converted to Scalar`."""
    tensor = scene.operand
    name = name_of(tensor, "tensor")
    shape = f" {list(tensor.shape)}" if tensor is not None else ""
    title = f"{named(tensor)}{shape} has more than one value, and one number was asked for"
    return explained(
        scene, title, f"`{name}.mean().item()`, or .sum(), or one element: `{name}[0].item()`", f"`{name}.tolist()`"
    )


@explains(
    "truth-of-many",
    r"Boolean value of Tensor with more than one value is ambiguous",
)
def truth(_match: Match[str], scene: Scene) -> Explanation:
    """`Boolean value of Tensor with more than one value is ambiguous`."""
    tensor = scene.operand
    title = f"`{scene.code}` is a tensor of several truth values, where one is wanted"
    return explained(
        scene,
        title,
        f"`({scene.code}).any()` or `.all()`",
        "`&`, `|` and `~` for `and`, `or` and `not`",
        f"`is None`, when that was meant: `{tensor.name} is not None`" if tensor is not None else "",
    )


@explains(
    "array-of-objects",
    r"can't convert np\.ndarray of type numpy\.(\w+?)_?\.",
)
def array_of_objects(match: Match[str], scene: Scene) -> Explanation:
    """`can't convert np.ndarray of type numpy.object_`."""
    title = f"`{scene.code}` takes numbers, and the array holds elements of type {match[1]}: texts, None, or rows of"
    fits = ("array.astype('float32')", "columns of numbers only: df.select_dtypes('number').to_numpy('float32')")
    return explained(scene, f"{title} different lengths", *fits)


@explains(
    "not-an-array",
    r"expected np\.ndarray \(got (\w+)\)",
)
def not_numpy(match: Match[str], scene: Scene) -> Explanation:
    """`expected np.ndarray (got list)`."""
    title = f"torch.from_numpy takes an array, and got a {match[1]}"
    return explained(scene, title, "torch.tensor(…), which takes lists and numbers")


@explains(
    "negative-strides",
    r"At least one stride in the given numpy array is negative",
)
def negative_strides(_match: Match[str], scene: Scene) -> Explanation:
    """`At least one stride in the given numpy array is negative`."""
    title = f"`{scene.code}`: the array was turned round with [::-1] or flip, and torch cannot read backwards"
    return explained(scene, title, "`array.copy()` before it", "torch.flip(tensor, …) after it")


@explains(
    "formatted-tensor",
    r"unsupported format string passed to Tensor\.__format__",
)
def formatted(_match: Match[str], scene: Scene) -> Explanation:
    """`unsupported format string passed to Tensor.__format__`."""
    title = f"`{scene.code}`: a tensor of several values, and a format such as :.3f takes one number"
    return explained(scene, title, "`.mean().item()` of it, or one element", "`.tolist()`, without a format")
