"""`stetho.pretty_tensors`: tensors print as one readable line, wherever they are printed."""

from types import TracebackType


class PrettyTensors:
    """In force from the beginning; `stop`, or the end of a `with` block, puts torch's own way of printing back."""

    def __init__(self) -> None:
        from stetho.capture.torch.failure.tensor_repr import replace_repr

        self._put_back = replace_repr()

    def __enter__(self) -> "PrettyTensors":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """Print tensors as torch does; the second call does nothing."""
        self._put_back()


def pretty_tensors() -> PrettyTensors:
    """Print every tensor as one line: type, shape, device, range, mean, deviation, and how much is zero or not finite.

    >>> import torch
    >>> with pretty_tensors():
    ...     print(torch.arange(12.0).reshape(3, 4), [torch.tensor(2.5)])
    float32[3, 4] cpu min 0 max 11 mean 5.5 std 3.452 zeros 8% [float32[] cpu 2.5]
    >>> print(torch.tensor(2.5))
    tensor(2.5000)
    """
    return PrettyTensors()
