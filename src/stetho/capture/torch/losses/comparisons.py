"""Evaluations written by hand: a program that compares the output of its model with something says what is right.

Between an evaluation pass (or one of which it is not known yet) and the next one, `==` and `-` of tensors are followed.
Where one side is the answer that the output stands for (its largest class, its sign) or the output itself, the other
side holds the targets.
"""

from collections.abc import Iterator

import torch
from torch import Tensor

from stetho.capture.guard import Guard
from stetho.capture.torch.losses.scores import Scores
from stetho.capture.torch.patches import Patches

EQUALITIES = ((Tensor, "__eq__"), (Tensor, "eq"), (torch, "eq"))
DIFFERENCES = ((Tensor, "__sub__"), (Tensor, "__rsub__"), (Tensor, "sub"), (torch, "sub"))
MOST_ELEMENTS = 1 << 22
"""What is larger would cost too much to look at twice."""
MOST_CLASSES = 100
LEAST_PART = 20


class Comparisons:
    """What an evaluation compares its output with. `apart` is the difference, where the output is subtracted."""

    def __init__(self, guard: Guard, scores: Scores) -> None:
        self._scores = scores
        self._patches = Patches()
        self._output: Tensor | None = None
        self._equal = guard.wrap("answers compared", self._on_equal)
        self._subtracted = guard.wrap("answers subtracted", self._on_difference)
        self._drawn = guard.wrap("answers drawn", self._on_draw)
        gathered = guard.wrap("answers gathered", scores.gathered.compare)
        # We compare tensors as well, and that is nothing of the program's.
        scores.gathered.on_comparison = lambda *sides: None if guard.is_inside else gathered(*sides)
        self.apart: Tensor | None = None
        self.wanted: Tensor | None = None
        """What the output was subtracted from, or what was subtracted from it."""
        self.found = False
        """Whether the output was compared with what is right."""

    def follow(self, output: Tensor) -> None:
        """An evaluation pass gave this output."""
        self.forget()
        if output.numel() == 0 or output.numel() > MOST_ELEMENTS or type(output) is not Tensor:
            return
        self._output = output.detach()
        for owner, name in EQUALITIES:
            self._patches.around(owner, name, after=lambda _, *sides, **__: self._equal(*sides))
        for owner, name in DIFFERENCES:
            self._patches.around(owner, name, after=lambda _, *sides, **__: self._subtracted(*sides))
        self._patches.around(torch, "normal", before=lambda *given, **_: self._drawn(*given[:1]))

    def forget(self) -> None:
        """The evaluation pass is over: nothing is followed, and no tensor kept."""
        self._patches.undo()
        self._output = self.apart = self.wanted = None
        self.found = False

    def _on_equal(self, first: object, second: object = None, *_: object) -> None:
        output = self._output
        if output is None or not (type(first) is Tensor and type(second) is Tensor):
            return
        # Whatever we compute here is ours, and must not be followed.
        self._output = None
        with torch.no_grad():
            found = _judged(output, first, second) or _judged(output, second, first)
            is_part = found is None
            found = found or _judged_part(output, first, second)
        if found is not None:
            self._scores.judge(*found, None)
            self.found = True
        if is_part:
            # Of parts there may be several, those for the training first, mostly: the last one counts.
            self._output = output
        else:
            self._patches.undo()

    def _on_difference(self, first: object, second: object = None, *_: object) -> None:
        output = self._output
        if output is None or not (type(first) is Tensor and type(second) is Tensor):
            return
        is_output = _is_same(first, output) or _is_same(second, output)
        if is_output and first.shape == second.shape and second.is_floating_point():
            self._output = None
            self.apart = first.detach() - second.detach()
            self.wanted = (second if _is_same(first, output) else first).detach()
            self.found = True
            self._patches.undo()

    def _on_draw(self, mean: object = None) -> None:
        # What is drawn around an output is a choice of the program's own: its difference to that is not an error.
        if self._output is not None and type(mean) is Tensor and _is_same(mean, self._output):
            self.forget()


def _judged(output: Tensor, said: Tensor, right: Tensor) -> tuple[str, Tensor, Tensor] | None:
    """The loss under which an answer is judged, what was predicted and what is right, if `said` is the answer."""
    if said.shape != right.shape or said.numel() == 0:
        return None
    for scores in _by_class(output):
        if said.numel() * scores.shape[1] == scores.numel() and _is_equal(said, answer := scores.argmax(1)):
            return "cross_entropy", scores, _like(right, answer)
    if said.numel() == output.numel() and output.is_floating_point():
        for loss, limit in (("binary_cross_entropy_with_logits", 0.0), ("binary_cross_entropy", 0.5)):
            if bool(right.max() <= 1) and _is_equal(said, output > limit):
                return loss, output, _like(right, output)
        return _rounded(output, said, right)
    return None


def _judged_part(output: Tensor, said: Tensor, right: Tensor) -> tuple[str, Tensor, Tensor] | None:
    """The same where only some of the answers are compared, in their order: the nodes of a graph that are tested."""
    if output.dim() != 2 or output.shape[1] < 2 or not output.is_floating_point() or said.dim() != 1:
        return None
    if said.shape != right.shape or said.dtype is not torch.int64 or right.dtype is not torch.int64:
        return None
    classes = output.shape[1]
    if not LEAST_PART <= len(said) < len(output) or int(right.min()) < 0 or int(right.max()) >= classes:
        return None
    rest = iter(output.argmax(1).tolist())
    if not all(answer in rest for answer in said.tolist()):
        return None
    return "cross_entropy", torch.nn.functional.one_hot(said, classes), right


def _rounded(output: Tensor, said: Tensor, right: Tensor) -> tuple[str, Tensor, Tensor] | None:
    """Numbers of classes that were predicted as values: each counts as a choice of the class next to it."""
    low, high = int(right.min()), int(right.max())
    if right.is_floating_point() or said.is_floating_point() or low < 0 or not 1 < high < MOST_CLASSES:
        return None
    if not _is_equal(said, output.round().clamp(int(said.min()), int(said.max()))):
        return None
    classes = max(high, int(said.max())) + 1
    chosen = torch.nn.functional.one_hot(said.reshape(-1).long().clamp(min=0), classes)
    return "cross_entropy", chosen, right.detach().reshape(-1).long()


def _by_class(output: Tensor) -> Iterator[Tensor]:
    """The output with its classes at the second place: where losses want them, or last, as sequence models have it."""
    if output.dim() > 1 and output.shape[1] > 1:
        yield output
    if output.dim() > 2 and output.shape[-1] > 1:
        yield output.reshape(-1, output.shape[-1])


def _is_equal(said: Tensor, answer: Tensor) -> bool:
    return said.device == answer.device and bool(torch.equal(said.reshape(-1).long(), answer.reshape(-1).long()))


def _is_same(side: Tensor, output: Tensor) -> bool:
    """Whether a tensor is the output, be it in another shape."""
    return side.numel() == output.numel() and side.data_ptr() == output.data_ptr()


def _like(right: Tensor, answer: Tensor) -> Tensor:
    shaped = right.detach().reshape(answer.shape)
    return shaped.float() if answer.is_floating_point() else shaped.long()
