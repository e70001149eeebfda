"""Backward passes that cannot be done: no graph, a freed graph, values that were overwritten."""

import re
from re import Match

from stetho.explaining.declare import SIZES, explains
from stetho.explaining.phrases import dtype_of, explained, name_of, named, sizes, tensor_facts
from stetho.explaining.scene import Explanation, Made, Scene

_CUTS = {
    r"\.item\(\)": "`.item()` gives a plain number",
    r"\.detach\(\)|\.data\b": "`.detach()` and `.data` cut the graph",
    r"torch\.(tensor|Tensor)\([^)]*[a-zA-Z_]{2}": "`torch.tensor(…)` makes a new tensor without a graph",
    r"argmax|\.round\(|\.long\(\)|\.int\(\)| > | < | == ": "whole numbers, comparisons and argmax have no gradient",
    r"\.numpy\(\)|np\.": "numpy knows no graph",
    r"no_grad|inference_mode": "no graph is recorded under torch.no_grad()",
}


@explains(
    "no-graph",
    r"element 0 of tensors does not require grad and does not have a grad_fn",
)
def no_graph(_match: Match[str], scene: Scene) -> Explanation:
    """`element 0 of tensors does not require grad and does not have a grad_fn`."""
    loss = scene.operand
    made = loss.made if loss is not None and loss.made is not None else Made(scene.where, scene.code)
    title = (
        f"{named(loss, 'the loss')} does not depend on any parameter that requires a gradient, as far as autograd knows"
    )
    cuts = [
        f"another way for {line.where.rpartition('/')[2]}: {reason}"
        for line in dict.fromkeys((made, *scene.ingredients))
        for pattern, reason in _CUTS.items()
        if re.search(pattern, line.code)
    ]
    return explained(
        scene,
        title,
        *cuts,
        "a forward pass outside of torch.no_grad(), torch.inference_mode() and set_grad_enabled(False)",
        "a parameter with requires_grad=True on the way to the loss: are all layers frozen?",
    )


@explains(
    "backward-twice",
    r"Trying to backward through the graph a second time",
)
def second_time(_match: Match[str], scene: Scene) -> Explanation:
    """`Trying to backward through the graph a second time`."""
    loss = scene.operand
    title = f"{named(loss, 'the loss')} reaches a part of the graph that an earlier backward() has used up"
    return explained(
        scene,
        title,
        "one backward() of the sum, when two losses share a part: (a + b).backward()",
        "`.detach()` on what is carried from one step to the next: hidden states, running losses, a memory",
        "a forward pass in every step, when the output was made once before the loop",
        "retain_graph=True only when the same graph is truly wanted twice",
    )


@explains(
    "overwritten-in-place",
    r"modified by an inplace operation: \[([\w.]+) \[([\d, ]*)\]\], which is output \d+ of (\w+), is at"
    r" version (\d+); expected version (\d+)",
)
def overwritten(match: Match[str], scene: Scene) -> Explanation:
    """`one of the variables needed for gradient computation has been modified by an inplace operation`."""
    kind, shape, operation, version, expected = match.groups()
    operation = operation.removesuffix("Backward0")
    changes = int(version) - int(expected)
    title = (
        f"a {dtype_of(kind)}[{shape}], the output of {operation}, was changed in place {changes} "
        f"{'time' if changes == 1 else 'times'} after it was computed; backward needs what it was"
    )
    facts = tuple(("in place", str(place)) for place in scene.in_place)
    weights = operation in ("TBackward", "T", "AsStrided", "AsStridedBackward0", "TransposeBackward0")
    fits = [
        "both losses computed, and both backward passes done, before any optimizer.step()" if weights else "",
        "the operation without its underscore: `x = x + y` for `x += y`, `x.relu()` for `x.relu_()`, inplace=False",
        "`.clone()` before the change",
    ]
    return Explanation(title, facts + tensor_facts(*scene.operands), tuple(filter(None, fits)))


@explains(
    "leaf-in-place",
    r"a (view of a )?leaf Variable that requires grad is being used in an in-place operation",
)
def leaf_in_place(match: Match[str], scene: Scene) -> Explanation:
    """`a leaf Variable that requires grad is being used in an in-place operation`."""
    tensor = scene.operand
    what = "a part of " if match[1] else ""
    title = f"`{scene.code}` changes {what}{named(tensor, 'a parameter')} in place, while autograd follows it"
    return explained(
        scene,
        title,
        "with torch.no_grad(): around it, when the change is not to be differentiated (an initialisation, an update)",
        "a new tensor, when it is: `y = x + 1`",
    )


@explains(
    "view-in-place",
    r"Output \d+ of (\w+) is a view and is being modified inplace",
)
def view_in_place(match: Match[str], scene: Scene) -> Explanation:
    """`Output 0 of Split is a view and is being modified inplace`."""
    title = f"an output of {match[1]} is one of several views of the same tensor, and was changed in place"
    return explained(
        scene, title, "the same without the underscore: `part = part + 1`", "`.clone()` of the part before it"
    )


@explains(
    "loss-not-scalar",
    r"grad can be implicitly created only for scalar outputs",
)
def not_scalar(_match: Match[str], scene: Scene) -> Explanation:
    """`grad can be implicitly created only for scalar outputs`."""
    loss = scene.operand
    shape = f" {list(loss.shape)}" if loss is not None else ""
    name = name_of(loss, "loss")
    title = f"backward() starts from one number, and `{name}`{shape} has more"
    return explained(scene, title, f"`{name}.mean().backward()`, or .sum()", "a loss without reduction='none'")


@explains(
    "numpy-with-grad",
    r"Can't call numpy\(\) on Tensor that requires grad",
)
def numpy_with_grad(_match: Match[str], scene: Scene) -> Explanation:
    """`Can't call numpy() on Tensor that requires grad`."""
    tensor = scene.operand
    name = name_of(tensor, "tensor")
    title = f"`{name}` is part of a graph, which numpy would not see"
    return explained(scene, title, f"`{name}.detach().cpu().numpy()`", "with torch.no_grad(): around an evaluation")


@explains(
    "unused-in-graph",
    r"differentiated Tensors?(?: at index (\d+))? appears to not have been used",
)
def unused(match: Match[str], scene: Scene) -> Explanation:
    """`One of the differentiated Tensors appears to not have been used in the graph`."""
    title = f"the output does not depend on input number {match[1] or 0} of torch.autograd.grad"
    return explained(scene, title, "an output that is computed from it", "allow_unused=True, which gives None for it")


@explains(
    "inference-tensor",
    r"Inference tensors cannot be saved for backward",
)
def inference(_match: Match[str], scene: Scene) -> Explanation:
    """`Inference tensors cannot be saved for backward`."""
    title = f"{scene.subject} was given a tensor made under torch.inference_mode(), which cannot be part of a graph"
    return explained(scene, title, "torch.no_grad() where it is made", "`.clone()` of it outside of inference_mode")


@explains(
    "copied-graph",
    r"support the deepcopy protocol at the moment",
)
def copied(_match: Match[str], scene: Scene) -> Explanation:
    """`Only Tensors created explicitly by the user support the deepcopy protocol`."""
    title = "copy.deepcopy met a tensor that was computed, and is part of a graph"
    return explained(
        scene, title, "`.detach().clone()` instead", "no computed tensor kept as an attribute of the model"
    )


@explains(
    "gradient-size",
    rf"assign a gradient of size '{SIZES}' to a tensor of size '{SIZES}'",
)
def gradient_size(match: Match[str], scene: Scene) -> Explanation:
    """`attempting to assign a gradient of size '[4]' to a tensor of size '[3]'`."""
    title = f"a gradient has the shape of its tensor: {match[2]}, and not {match[1]}"
    return explained(scene, title, f"a gradient of {match[2]}")


@explains(
    "number-of-gradients",
    r"function (\w+)Backward returned an incorrect number of gradients \(expected (\d+), got (\d+)\)",
)
def number_of_gradients(match: Match[str], scene: Scene) -> Explanation:
    """`function ScaleBackward returned an incorrect number of gradients (expected 2, got 1)`."""
    name, wanted, got = match.groups()
    title = f"{name}.backward gives {got} of {wanted} gradients: one belongs to each argument of {name}.forward"
    return explained(scene, title, f"`return` with {wanted} values, None for what needs no gradient")


@explains(
    "shape-of-gradient",
    rf"Function (\w+)Backward\d* returned an invalid gradient at index (\d+) - got {SIZES} but expected shape"
    rf" compatible with {SIZES}",
)
def shape_of_gradient(match: Match[str], scene: Scene) -> Explanation:
    """`Function ScaleBackward returned an invalid gradient at index 0 - got [4] but expected …`."""
    name, index, got, wanted = match.groups()
    title = (
        f"{name}.backward gives argument {index} a gradient of {got}, and a gradient has its tensor's shape: {wanted}"
    )
    spread = f"`grad.expand({wanted.strip('[]')})`, when forward sums an axis away"
    return explained(scene, title, f"a gradient of {wanted}", spread if len(sizes(got)) < len(sizes(wanted)) else "")


@explains(
    "computed-frozen",
    r"you can only change requires_grad flags of leaf variables",
)
def computed_frozen(_match: Match[str], scene: Scene) -> Explanation:
    """`you can only change requires_grad flags of leaf variables`."""
    title = f"`{scene.code}`: this tensor is computed from others, and needs a gradient as long as they do"
    return explained(scene, title, "`.detach()`, for its values alone", "requires_grad_(False) on the parameters")
