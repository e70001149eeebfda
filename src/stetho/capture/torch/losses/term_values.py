"""What each call of a loss function gave over the training, where a loss is put together of several."""

from torch import Tensor

KEPT = 64


class TermValues:
    """The results of one call, in every so many steps; they stay on their device until asked for."""

    def __init__(self) -> None:
        self._values: list[tuple[int, Tensor]] = []
        self._every = 1
        self._seen = 0
        self._last = -1

    def add(self, step: int, result: object) -> None:
        """The call gave this; of several in a step the first counts."""
        if step == self._last or not isinstance(result, Tensor) or result.numel() != 1:
            return
        self._last = step
        self._seen += 1
        if self._seen % self._every == 0:
            self._values.append((step, result.detach().clone()))
            if len(self._values) >= KEPT:
                self._values, self._every = self._values[::2], 2 * self._every

    def facts(self) -> dict[str, object]:
        """The steps and the values."""
        steps, values = [step for step, _ in self._values], [float(value) for _, value in self._values]
        return {"value_steps": steps, "values": values}
