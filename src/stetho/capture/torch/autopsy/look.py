"""Outputs and gradients of every layer in the step under way, made when somebody asks for them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from torch import Tensor

from stetho.capture.torch.autopsy.copied import Copies
from stetho.capture.torch.autopsy.kept import Event, RootCall
from stetho.capture.torch.autopsy.outside import Outside
from stetho.capture.torch.autopsy.replay import Replay
from stetho.capture.torch.autopsy.states import unnoticed


@dataclass(frozen=True, slots=True)
class LayerValues:
    """What a layer gave back, and the gradient that came back to it; None where there is none."""

    output: Tensor
    grad: Tensor | None


class LayersOfStep(Mapping[str, LayerValues]):
    """Layers by name. The step is run once more at the first look, on a copy; nothing of it changes."""

    def __init__(self, events: list[Event]) -> None:
        self._events = events
        self._found: dict[str, LayerValues] | None = None

    def __getitem__(self, name: str) -> LayerValues:
        found = self._all().get(name)
        if found is None:
            raise KeyError(f"there is no layer {name!r} in this step; there are: {', '.join(self)}")
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def __repr__(self) -> str:
        return f"layers: {', '.join(self)}"

    def _all(self) -> dict[str, LayerValues]:
        if self._found is None:
            models = [event.module for event in self._events if isinstance(event, RootCall)]
            with unnoticed(), Copies().put_back() as copies, Outside(models).put_back():
                replay = Replay(copies, keep_outputs=True)
                replay.run(self._events)
            gradients = replay.output_gradients
            self._found = {
                name: LayerValues(output.detach(), gradients.get(name)) for name, output in replay.outputs.items()
            }
        return self._found
