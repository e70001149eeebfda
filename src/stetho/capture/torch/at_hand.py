"""What is at hand in a shell beside the program's own variables: the step under way, its layers, and commands."""

from collections.abc import Callable
from typing import Any

from stetho.capture.torch.autopsy.kept import Event, RootCall
from stetho.capture.torch.autopsy.look import LayersOfStep
from stetho.capture.torch.failure.tensors import line_for

HELP = (
    "your variables · model, batch, loss, step · layers['name'].output and .grad\n"
    "stats(tensor or 'name') · dump() writes a bundle · go() goes on\n"
    "next_step() stops again before the next update"
)


def facts_of(events: list[Event], under_way: RootCall | None, step: int, loss: float | None) -> dict[str, Any]:
    """The step under names that the program may have for something of its own."""
    calls = [event for event in events if isinstance(event, RootCall)]
    last = under_way or (calls[-1] if calls else None)
    return {
        "model": last.module if last is not None else None,
        "batch": last.args if last is not None else None,
        "loss": loss,
        "step": step,
    }


def commands_of(
    events: list[Event], dump: Callable[[str], object], next_step: Callable[[], None]
) -> dict[str, Callable[..., object] | LayersOfStep]:
    """What can be done and asked for in a shell."""
    layers = LayersOfStep(events)

    def stats(thing: object) -> None:
        """One line about a tensor, or about the output of a layer, a parameter or a buffer by its name."""
        print_stats(_tensor_named(thing, layers, events) if isinstance(thing, str) else thing)

    def dump_step(reason: str = "dump") -> object:
        """Write the step as a bundle; gives its folder."""
        return dump(reason)

    return {"layers": layers, "stats": stats, "next_step": next_step, "dump": dump_step}


def print_stats(thing: object) -> None:
    """One line about a tensor; anything else as it prints itself."""
    print(line_for(thing) or thing)


def _tensor_named(name: str, layers: LayersOfStep, events: list[Event]) -> object:
    if name in layers:
        return layers[name].output
    own: dict[str, object] = {}
    for event in events:
        if isinstance(event, RootCall):
            own |= dict(event.module.named_buffers()) | dict(event.module.named_parameters())
    if not own and not layers:
        return "no model was called since the last update: ask for the shell between the forward pass and the update"
    return own.get(name, f"no layer, parameter or buffer is called {name!r}; there are: {', '.join([*layers, *own])}")
