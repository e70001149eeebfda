"""Metrics found by themselves: accuracy where the loss call tells what is right; precision, recall, F1 at the end."""

from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from stetho.capture.recorder import Recorder
from stetho.capture.torch.calls.passes import is_transformed
from stetho.capture.torch.losses.gathered import Gathered
from stetho.capture.torch.losses.left_out import LeftOut
from stetho.capture.torch.losses.recent_answers import RecentAnswers
from stetho.capture.torch.numbers import Number, fetch_numbers, number
from stetho.stats.arrays import array_of

Counts = npt.NDArray[np.int64]
Labels = npt.NDArray[np.int64]

MOST_CLASSES = 100
"""Beyond so many classes no confusion matrix is kept."""
MOST_COUNTED = 1000

CLASS_INDEX_LOSSES = frozenset({"cross_entropy", "nll_loss", "hand_written_choice"})
BINARY_LOSSES = {"binary_cross_entropy": 0.5, "binary_cross_entropy_with_logits": 0.0, "hand_written_binary": 0.5}
"""Loss and the value of its input above which the prediction is yes."""
NUMPY_TYPES = (torch.float32, torch.float64)


class Scores:
    """Right and wrong answers, by phase."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._confusion: dict[str, Counts] = {}
        self._judged: tuple[Tensor, Tensor, int, int | None] | None = None
        self._evaluation: dict[str, Any] = {}
        self.left_out = LeftOut()
        self.recent = RecentAnswers()
        self.gathered = Gathered()
        self.gathered.waiting = self._waiting
        self.final: dict[str, dict[str, float]] = {}

    def value(self, loss: Tensor) -> Number:
        """A loss as a number."""
        return number(loss)

    def judge(self, loss: str, predicted: Tensor, target: Tensor, ignored: int | None) -> None:
        """Keep what was said and what is right in one batch, where the loss tells; counted when the batch is over."""
        predicted, target = predicted.detach(), target.detach()
        self.left_out.told(ignored)
        if loss in CLASS_INDEX_LOSSES and predicted.dim() >= 1:
            axis = 1 if predicted.dim() > 1 else 0
            right = target.argmax(axis) if target.is_floating_point() and target.shape == predicted.shape else target
            self._judged = (_largest(predicted, axis), right.clone(), predicted.shape[axis], ignored)
        elif loss in BINARY_LOSSES and predicted.shape == target.shape:
            self._judged = (predicted > BINARY_LOSSES[loss], target > 0.5, 2, None)

    def labels(self) -> tuple[Labels, int] | None:
        """What is right in the batch judged last, and the number of classes; None where it is not one a sample."""
        if self._judged is None:
            return None
        _, right, classes, ignored = self._judged
        if right.is_floating_point() or right.dim() != 1 or classes < 2:
            return None
        found = array_of(right.to("cpu", torch.int64))
        usable = len(found) and found.min() >= 0 and found.max() < classes and not (found == ignored).any()
        return (found, classes) if usable else None

    @property
    def answers(self) -> Labels | None:
        """What is right for each answer of the batch judged last, where there are several for a sample or not."""
        if self._judged is None or self._judged[1].is_floating_point():
            return None
        return array_of(self._judged[1].flatten().to("cpu", torch.int64))

    def count(self, phase: str, row: dict[str, object]) -> int:
        """Count a finished batch: into its row and into the totals of its phase. Returns how many answers counted."""
        if phase == "train":
            self._finish_evaluation()
            self.gathered.over()
        judged, self._judged = self._judged, None
        counted = self._count_judged(phase, row, *judged) if judged is not None else 0
        if phase == "eval":
            self._add_to_evaluation(row)
        return counted

    def _waiting(self) -> tuple[Labels, Labels] | None:
        """What was said and what is right in a batch that is not over, where each sample has one label."""
        if self._judged is None or self._judged[0].shape != self._judged[1].shape or self._judged[1].dim() != 1:
            return None
        said, right = (array_of(each.to("cpu", torch.int64)) for each in self._judged[:2])
        return said, right

    def _count_judged(
        self, phase: str, row: dict[str, object], said: Tensor, right: Tensor, classes: int, ignored: int | None
    ) -> int:
        if said.shape != right.shape or right.is_floating_point():
            return 0
        said_at, right_at = (array_of(t.flatten().to("cpu", torch.int64)) for t in (said, right))
        counts = self.left_out.counting(right_at, ignored, many=_are_many(right_at, row))
        if counts is None:
            return 0
        if not counts.all():
            said_at, right_at = said_at[counts], right_at[counts]
        if phase == "eval" and right.dim() == 1:
            self.gathered.add(said_at, right_at)
        counted = len(right_at)
        row["correct"], row["counted"] = int(np.count_nonzero(said_at == right_at)), counted
        if counted and 2 <= classes <= MOST_COUNTED and right_at.min() >= 0 and right_at.max() < classes:
            row["label_counts"] = np.bincount(right_at, minlength=classes).tolist()
            if classes <= MOST_CLASSES:
                self._confuse(phase, np.bincount(right_at * classes + said_at, minlength=classes * classes))
        return counted

    def _confuse(self, phase: str, confusion: Counts) -> None:
        self.recent.add(phase, confusion)
        known = self._confusion.get(phase)
        self._confusion[phase] = confusion if known is None or known.shape != confusion.shape else known + confusion

    def _add_to_evaluation(self, row: dict[str, object]) -> None:
        totals = self._evaluation
        totals["step"] = row["step"]
        size: Any = row.get("size") or 1
        for key, value in (
            ("loss", row["loss"] * size if "loss" in row else None),
            ("size", size if "loss" in row else None),
            ("correct", row.get("correct")),
            ("counted", row.get("counted")),
        ):
            if value is not None:
                totals[key] = totals.get(key, 0) + value

    def new_epoch(self) -> None:
        """Scores of the training phase are those of its last epoch."""
        self._confusion.pop("train", None)

    def finish(self) -> None:
        """Put precision, recall and F1 of the last epoch and of the last evaluation into `final`."""
        self._finish_evaluation()
        for phase, confusion in self._confusion.items():
            self.final.setdefault(phase, {}).update(_from_confusion(confusion))
        self._confusion.clear()
        self.clear()

    def clear(self) -> None:
        """Follow no comparison any more, and keep no tensor."""
        self._judged = None
        self.gathered.over()

    def _finish_evaluation(self) -> None:
        totals, self._evaluation = self._evaluation, {}
        if not totals:
            return
        values = {key: fetch_numbers([v])[0] if isinstance(v, Tensor) else float(v) for key, v in totals.items()}
        found = {}
        if values.get("size"):
            found["loss"] = values["loss"] / values["size"]
        if values.get("counted"):
            found["accuracy"] = values["correct"] / values["counted"]
        for name, value in found.items():
            row = {"step": int(values["step"]), "time": self._recorder.clock(), "phase": "eval", "name": name}
            self._recorder.row("metrics", row | {"value": value})
        confusion = self._confusion.pop("eval", None)
        if confusion is not None:
            found |= _from_confusion(confusion)
        if found:
            self.final["eval"] = found


def _are_many(labels: Labels, row: dict[str, Any]) -> bool:
    """Whether a sample has several answers, as a sequence has; a class that is left out of pictures is no padding."""
    return len(labels) > (row.get("size") or np.inf) and len(row.get("shape") or ()) != len("NCHW")


def _largest(scores: Tensor, axis: int) -> Tensor:
    """Where the largest scores are. Of scores side by side numpy tells the same ten times faster than torch."""
    is_side_by_side = scores.layout is torch.strided and scores.stride(axis) == 1
    if is_side_by_side and scores.is_cpu and scores.dtype in NUMPY_TYPES and not is_transformed():
        return torch.from_numpy(np.asarray(array_of(scores).argmax(axis)))
    return scores.argmax(axis)


def _from_confusion(confusion: Counts) -> dict[str, float]:
    """Macro averages over the classes that occur."""
    classes = round(confusion.size**0.5)
    matrix = confusion.reshape(classes, classes)
    right, said, hit = matrix.sum(1), matrix.sum(0), matrix.diagonal()
    occurs = (right + said) > 0
    precision = (hit / np.maximum(said, 1))[occurs]
    recall = (hit / np.maximum(right, 1))[occurs]
    f1 = 2 * precision * recall / np.maximum(precision + recall, 1e-12)
    return {
        "accuracy": float(hit.sum() / matrix.sum()),
        "precision": float(precision.mean()),
        "recall": float(recall.mean()),
        "f1": float(f1.mean()),
    }
