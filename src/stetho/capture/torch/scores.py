"""Metrics found by themselves: accuracy where the loss call tells what is right, precision, recall and F1 at the end."""

from typing import Any

import torch
from torch import Tensor

from stetho.capture.recorder import Recorder
from stetho.capture.torch.numbers import Number, fetch_numbers, number

MOST_CLASSES = 100
"""Beyond so many classes no confusion matrix is kept."""
MOST_COUNTED = 1000

CLASS_INDEX_LOSSES = frozenset({"cross_entropy", "nll_loss"})
BINARY_LOSSES = {"binary_cross_entropy": 0.5, "binary_cross_entropy_with_logits": 0.0}
"""Loss and the value of its input above which the prediction is yes."""


class Scores:
    """Right and wrong answers, by phase."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._confusion: dict[str, Tensor] = {}
        self._open_confusion: tuple[Tensor, int] | None = None
        self._evaluation: dict[str, Number] = {}
        self.final: dict[str, dict[str, float]] = {}

    def value(self, loss: Tensor) -> Number:
        """A loss as a number."""
        return number(loss)

    def judge(self, loss: str, predicted: Tensor, target: Tensor, ignored: int | None) -> dict[str, object]:
        """Count right answers and labels of one batch, where the loss tells what is right."""
        predicted, target = predicted.detach(), target.detach()
        if loss in CLASS_INDEX_LOSSES and predicted.dim() >= 1:
            return self._judge_classes(predicted, target, ignored)
        if loss in BINARY_LOSSES and predicted.shape == target.shape:
            said, right = predicted > BINARY_LOSSES[loss], target > 0.5
            return self._counted(said.flatten().long(), right.flatten().long(), 2)
        return {}

    def _judge_classes(self, predicted: Tensor, target: Tensor, ignored: int | None) -> dict[str, object]:
        axis = 1 if predicted.dim() > 1 else 0
        classes = predicted.shape[axis]
        said = predicted.argmax(axis).flatten()
        if target.is_floating_point():
            if target.shape != predicted.shape:
                return {}
            right = target.argmax(axis).flatten()
        else:
            right = target.flatten()
            if right.shape != said.shape:
                return {}
            if ignored is not None and (not right.is_cpu or bool((right == ignored).any())):
                kept = right != ignored
                said, right = said[kept], right[kept]
        return self._counted(said, right, classes)

    def _counted(self, said: Tensor, right: Tensor, classes: int) -> dict[str, object]:
        counted = right.numel()
        row: dict[str, object] = {"correct": number((said == right).sum()), "counted": counted}
        if 2 <= classes <= MOST_COUNTED and counted:
            inside = right.clamp(0, classes - 1)
            row["label_counts"] = torch.bincount(inside, minlength=classes).tolist()
            if classes <= MOST_CLASSES:
                self._open_confusion = (torch.bincount(inside * classes + said, minlength=classes * classes), classes)
        return row

    def count(self, phase: str, row: dict[str, object]) -> None:
        """Add a finished batch to the totals of its phase."""
        if phase == "train":
            self._finish_evaluation()
        confusion, self._open_confusion = self._open_confusion, None
        if confusion is not None:
            known = self._confusion.get(phase)
            fits = known is not None and known.shape == confusion[0].shape
            self._confusion[phase] = known + confusion[0] if fits else confusion[0]  # type: ignore[operator]
        if phase == "eval":
            size: Any = row.get("size") or 1
            self._add("step", row["step"], replace=True)
            if "loss" in row:
                self._add("loss", row["loss"] * size)  # type: ignore[operator]  # a number
                self._add("size", size)
            if "counted" in row:
                self._add("correct", row["correct"])
                self._add("counted", row["counted"])

    def new_epoch(self) -> None:
        """Scores of the training phase are those of its last epoch."""
        self._confusion.pop("train", None)

    def finish(self) -> dict[str, dict[str, float]]:
        """Precision, recall and F1 of the last epoch and of the last evaluation."""
        self._finish_evaluation()
        for phase, confusion in self._confusion.items():
            self.final.setdefault(phase, {}).update(_from_confusion(confusion))
        self._confusion.clear()
        self._open_confusion = None
        return self.final

    def _add(self, key: str, value: object, *, replace: bool = False) -> None:
        known = self._evaluation.get(key, 0.0)
        self._evaluation[key] = value if replace else known + value  # type: ignore[assignment, operator]

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
        self.final["eval"] = found


def _from_confusion(confusion: Tensor) -> dict[str, float]:
    """Macro averages over the classes that occur."""
    classes = round(confusion.numel() ** 0.5)
    matrix = confusion.double().reshape(classes, classes).cpu()
    right, said, hit = matrix.sum(1), matrix.sum(0), matrix.diagonal()
    occurs = (right + said) > 0
    precision = torch.where(said > 0, hit / said.clamp(min=1), 0.0)[occurs]
    recall = torch.where(right > 0, hit / right.clamp(min=1), 0.0)[occurs]
    both = precision + recall
    f1 = torch.where(both > 0, 2 * precision * recall / both.clamp(min=1e-12), 0.0)
    return {
        "accuracy": float(hit.sum() / matrix.sum()),
        "precision": float(precision.mean()),
        "recall": float(recall.mean()),
        "f1": float(f1.mean()),
    }
