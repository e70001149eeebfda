"""How a tensor of one model is made from tensors of another."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from stetho.comparing.models.trace import Array


@dataclass(frozen=True, slots=True)
class Recipe:
    """Sources, turned over if need be, joined, rows chosen, cut, ordered, columns chosen, turned again, reshaped.

    >>> recipe = Recipe(("in_proj",), (2, 2), part=(1, 3))
    >>> recipe.made({"in_proj": np.arange(12).reshape(6, 2)}).tolist()
    [[4, 5], [6, 7]]
    >>> str(recipe)
    'in_proj, part 2 of 3'
    """

    sources: tuple[str, ...]
    shape: tuple[int, ...]
    is_turned: bool = False
    """Whether the sources are transposed first."""
    is_summed: bool = False
    is_beside: bool = False
    """Whether the sources are joined along the last axis, and not along the first."""
    part: tuple[int, int] | None = None
    """Which part of how many, along the first axis."""
    order: tuple[int, ...] = ()
    """Blocks of the first axis in another order: the gates of a recurrent cell."""
    columns: tuple[int, int] | None = None
    """From which element of the last axis up to which: what a joined matrix holds for an input or for a state."""
    axes: tuple[int, ...] = ()
    """The axes of a kernel in the order in which a matrix of the same weights counts them."""
    is_turned_back: bool = False
    rows: tuple[int, ...] = field(default=(), repr=False)
    """The rows of the joined sources that are taken, in their new order; all as they are, where it is empty."""
    said_of_rows: str = field(default="rows in another order", compare=False)

    @property
    def is_rearranged(self) -> bool:
        """Whether the elements are those of the sources, at other places: gradients then go the same way."""
        return not self.is_summed and bool(self.sources)

    def made(self, weights: Mapping[str, Array]) -> Array:
        """The tensor."""
        if not self.sources:
            return np.zeros(self.shape)
        found = [weights[name].T if self.is_turned else weights[name] for name in self.sources]
        whole: Array = np.sum(found, axis=0) if self.is_summed else self._joined(found)
        if self.rows:
            whole = whole[list(self.rows)]
        if self.part is not None:
            whole = np.split(whole, self.part[1])[self.part[0]]
        if self.order:
            blocks = np.split(whole, len(self.order))
            whole = np.concatenate([blocks[place] for place in self.order])
        if self.columns is not None:
            whole = whole[..., slice(*self.columns)]
        if self.axes:
            whole = _refolded(whole, self.axes, self.shape)
        whole = whole.T if self.is_turned_back else whole
        # Of a single number, numpy would make a list of one.
        return np.ascontiguousarray(whole).reshape(self.shape)

    def _joined(self, sources: list[Array]) -> Array:
        return np.concatenate([np.atleast_1d(each) for each in sources], axis=-1 if self.is_beside else 0)

    def __str__(self) -> str:
        joint = " + " if self.is_summed else " beside " if self.is_beside else " | "
        words = [joint.join(self.sources) or "zeros"]
        if self.rows:
            words.append(self.said_of_rows)
        if self.part is not None:
            words.append(f"part {self.part[0] + 1} of {self.part[1]}")
        if self.order:
            words.append(f"blocks {' '.join(str(place + 1) for place in self.order)}")
        if self.columns is not None:
            words.append(f"columns {self.columns[0] + 1} to {self.columns[1]}")
        if self.axes != tuple(sorted(self.axes)):
            words.append(f"axes {' '.join(str(axis + 1) for axis in self.axes)}")
        if self.is_turned != self.is_turned_back:
            words.append("transposed")
        return ", ".join(words)


def _refolded(whole: Array, axes: tuple[int, ...], shape: tuple[int, ...]) -> Array:
    """A kernel as a matrix, or a matrix as a kernel of this shape."""
    if whole.ndim == len(axes):
        return whole.transpose(axes).reshape(len(whole), -1)
    return whole.reshape([shape[axis] for axis in axes]).transpose(np.argsort(axes))
