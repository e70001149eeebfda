"""What targets have to do with inputs, in training and in evaluation: heard of every pass that is looked at closely."""

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from stetho.capture.torch.calls.leaves import tensor_leaves
from stetho.capture.torch.feed.copied import Copied
from stetho.capture.torch.feed.dependence import Dependence
from stetho.capture.torch.feed.kept_samples import MOST_ID_COLUMNS, Array, KeptSamples, described
from stetho.capture.torch.feed.pooled import are_pictures
from stetho.capture.torch.feed.relabelled import relabelled
from stetho.capture.torch.feed.simple_rule import rule_result
from stetho.capture.torch.losses.scores import Labels
from stetho.stats.arrays import array_of

MOST_SAMPLES = {"train": 2000, "eval": 600}
OF_A_BATCH = 512
PICTURES_OF_A_BATCH = 100
MOST_LOOKS = 100
MOST_NUMBERS = 16


class Relations:
    """Keeps what a pass was given until its targets are known."""

    def __init__(self) -> None:
        self._dependence = Dependence()
        self._copied = Copied()
        self._kept = {phase: KeptSamples(most) for phase, most in MOST_SAMPLES.items()}
        self._looks = dict.fromkeys(MOST_SAMPLES, 0)
        self._counts = (0, 0)
        self._results: dict[str, dict[str, object] | None] = {"rule": None, "relabelled": None}
        self._inputs: Tensor | None = None
        self._others: list[Tensor] = []
        self._numbers: Tensor | None = None
        self._handed_on: tuple[str, Tensor, list[Tensor]] | None = None
        """What a pass was given whose targets did not come: what it made may be what the next one is given."""
        self._inner: set[int] = set()
        """Models that are fed by others."""

    @property
    def is_open(self) -> bool:
        """Whether targets are waited for."""
        return self._inputs is not None

    def open(self, phase: str, model: int, inputs: Tensor, *given: object) -> None:
        """A pass of a model begins with this; what was given to those that feed it counts in its place."""
        before, self._handed_on = self._handed_on, None
        if before is not None and (before[0] != phase or not inputs.dim() or len(before[1]) != len(inputs)):
            before = None
        if inputs.grad_fn is not None and before is not None:
            self._inner.add(model)
        # Without gradients nothing tells what an input was made of, but where it came from in training.
        if model in self._inner and (inputs.grad_fn is not None or phase == "eval"):
            if before is not None:
                _, self._inputs, self._others = before
            return
        is_table = phase == "train" and inputs.dim() > 1
        if (is_table and self._dependence.wants_more) or self._wants_more(phase):
            self._inputs = inputs.detach()
            self._others = [tensor.detach() for value in given for _, tensor in tensor_leaves(value)]
            self._others = [each for each in self._others if _has_rows(each)][: MOST_ID_COLUMNS + 1]

    def _wants_more(self, phase: str) -> bool:
        return self._kept[phase].wants_more and self._looks[phase] < MOST_LOOKS

    def choose(self, rows: Tensor | None) -> None:
        """Only these rows have targets; None: which ones is not known."""
        if self._inputs is not None and rows is not None:
            count = len(self._inputs)
            self._others = [each[rows] for each in self._others if len(each) == count]
            self._inputs = self._inputs[rows]

    @property
    def count(self) -> int:
        """How many samples wait for their targets."""
        return len(self._inputs) if self._inputs is not None and self._inputs.dim() else 0

    def numbers(self, target: Tensor) -> None:
        """The targets of the pass, where they are numbers."""
        if self._inputs is not None and target.is_floating_point():
            self._numbers = target.detach()

    def close(self, phase: str, labels: tuple[Labels, int] | None) -> None:
        """The pass is over; the targets are labels, or numbers that were given before."""
        inputs, others, numbers = self._inputs, self._others, self._numbers
        self.clear()
        if inputs is not None and labels is None and numbers is None and inputs.dim():
            self._handed_on = (phase, inputs, others)
        if inputs is None or (labels is None and numbers is None):
            return
        if phase == "train" and inputs.dim() > 1 and self._dependence.wants_more:
            if labels is not None:
                self._dependence.add_labels(inputs, *labels)
            elif numbers is not None:
                self._dependence.add_numbers(inputs, numbers)
                self._copied.add(inputs, numbers)
        if self._wants_more(phase):
            self._keep(phase, others, labels, numbers)

    def _keep(self, phase: str, given: list[Tensor], labels: tuple[Labels, int] | None, numbers: Tensor | None) -> None:
        targets, classes = _targets(labels, numbers, len(given[0]) if given else 0)
        if not len(targets) or not np.isfinite(targets).all():
            return
        self._looks[phase] += 1
        # Some models are given their targets as well, to make the loss themselves.
        parts = [each for each in given if len(each) == len(targets) and not _holds(each, targets)]
        most = PICTURES_OF_A_BATCH if any(are_pictures(tuple(each.shape)) for each in parts) else OF_A_BATCH
        rows = _some_rows(len(targets), most)
        told = described([each[rows] for each in parts], len(rows), mirrored=phase == "eval")
        if told is not None:
            self._kept[phase].add(told, targets[rows], classes)

    def results(self) -> dict[str, dict[str, object] | None]:
        """What came of it, by the name of the probe."""
        counts = (len(self._kept["train"]), len(self._kept["eval"]))
        if counts != self._counts:
            kept = self._kept["train"], self._kept["eval"]
            self._counts, self._results = counts, {"rule": rule_result(*kept), "relabelled": relabelled(*kept)}
        return {"dependence": self._dependence.result(), "copied": self._copied.result(), **self._results}

    def clear(self) -> None:
        """Forget the pass under way."""
        self._inputs = self._numbers = self._handed_on = None
        self._others = []


def _some_rows(count: int, most: int) -> npt.NDArray[np.int64]:
    """Which rows of so many are kept, drawn by our own generator: classes may take turns, and hide from a stride."""
    return np.sort(np.random.default_rng(0).permutation(count)[:most])


def _has_rows(tensor: Tensor) -> bool:
    """Whether rows of it can be taken: an adjacency that is sparse has none."""
    return tensor.dim() > 0 and tensor.layout is torch.strided


def _targets(labels: tuple[Labels, int] | None, numbers: Tensor | None, count: int) -> tuple[Array, int]:
    """One target for each sample, of several numbers the first; and the number of classes, which is 0 for numbers."""
    if labels is not None:
        return labels[0].astype(np.float64), labels[1]
    if numbers is None or not count or numbers.numel() % count or not 0 < numbers.numel() <= MOST_NUMBERS * count:
        return np.zeros(0), 0
    found = array_of(numbers.reshape(count, -1)[:, 0].double())
    return found, 2 if np.isin(found, (0.0, 1.0)).all() else 0


def _holds(tensor: Tensor, targets: Array) -> bool:
    """Whether a tensor holds just the targets."""
    return tensor.numel() == len(targets) and np.array_equal(array_of(tensor.reshape(-1).double()), targets)
