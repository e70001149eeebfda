"""What model.json says of a parameter."""

from collections.abc import Callable

from torch import Tensor
from torch.nn.parameter import is_lazy

from stetho.capture.torch.models.as_made import is_as_made
from stetho.capture.torch.models.models import Weight

LineOf = Callable[[Tensor], str | None]


def parameter_facts(weight: Weight, holders: dict[int, tuple[int, int]], line: LineOf) -> dict[str, object]:
    """One entry of `parameters` in model.json; `line` says where its values were set."""
    parameter = weight.ref()
    facts: dict[str, object] = {"name": weight.name, "shared_with": weight.also}
    if parameter is None or is_lazy(parameter):
        return facts
    facts["initialised"] = line(parameter)
    if weight.as_made is None and not parameter.requires_grad:
        weight.as_made = is_as_made(parameter)
    optimizer, group = holders.get(id(parameter), (None, None))
    return facts | {
        "shape": list(parameter.shape),
        "dtype": str(parameter.dtype).removeprefix("torch."),
        "count": parameter.numel(),
        "trainable": parameter.requires_grad,
        "as_made": weight.as_made is True,
        "reached": weight.reached,
        "optimizer": optimizer,
        "group": group,
    }
