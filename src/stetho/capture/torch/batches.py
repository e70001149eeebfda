"""What each forward pass was fed and what its loss call saw: one row of `batches` for each pass that is looked at."""

import torch
from torch import Tensor

from stetho.capture.recorder import Recorder
from stetho.capture.step import Clock
from stetho.capture.torch.activations import Span
from stetho.capture.torch.leaves import first_tensor
from stetho.capture.torch.scores import Scores
from stetho.stats.summary import Summary
from stetho.stats.torch_kernel import fetch, measure

HASHED = 4096
MOST_FEATURES = 512
DENSE_FEATURES = 20
"""Per-feature moments are taken in so many full steps, then in every tenth."""


class Batches:
    """The batch of the forward pass under way or last seen."""

    def __init__(self, recorder: Recorder, clock: Clock, scores: Scores) -> None:
        self._recorder = recorder
        self._clock = clock
        self._scores = scores
        self._row: dict[str, object] | None = None
        self._span: Span | None = None
        self._fresh = True
        self._models_seen: set[int] = set()
        self._weights: dict[torch.device, Tensor] = {}
        self._with_features = 0
        self.loader: int | None = None
        self.train_loader: int | None = None

    @property
    def is_open(self) -> bool:
        """Whether a loss call now would find a batch to belong to."""
        return self._row is not None

    @property
    def phase(self) -> str:
        """Phase of the pass under way or last seen."""
        return self._span.phase if self._span is not None else "train"

    def open(self, model: int, span: Span, args: tuple[object, ...], kwargs: dict[str, object]) -> None:
        """A forward pass begins."""
        inputs = first_tensor(args, kwargs)
        size = inputs.shape[0] if inputs is not None and inputs.dim() > 0 else None
        training = span.phase == "train"
        step = self._clock.step
        if training:
            self.train_loader = self.loader
        if training and self._fresh and size is not None:
            step.batch_size = (step.batch_size or 0) + size
            self._fresh = False
        if training and (model in self._models_seen or step.tier == "clock"):
            return
        self._models_seen.add(model)
        self.close()
        self._span = span
        self._row = self._facts(model, span, inputs)

    def _facts(self, model: int, span: Span, inputs: Tensor | None) -> dict[str, object]:
        training = span.phase == "train"
        step = self._clock.step
        row: dict[str, object] = {
            "step": step.number if training else self._clock.done,
            "time": self._recorder.clock(),
            "model": model,
            "loader": self.loader,
            "training": getattr(span, "training", None),
            "grad": getattr(span, "grad", None),
        }
        if inputs is None:
            return row
        row["size"] = inputs.shape[0] if inputs.dim() > 0 else 1
        row["shape"] = list(inputs.shape)
        row["dtype"] = str(inputs.dtype).removeprefix("torch.")
        if inputs.numel() > 0 and not inputs.is_complex():
            row["hash"] = self._hash(inputs)
            if step.tier == "full":
                row |= _moments(inputs, "") | self._features(inputs)
        return row

    def loss_call(self, name: str, predicted: Tensor, target: Tensor, result: object, ignored: int | None) -> None:
        """A recognised loss function was called: what it saw belongs to the pass before it."""
        row = self._row
        if row is None or "loss_call" in row:
            return
        row["loss_call"] = name
        loss = result if isinstance(result, Tensor) else None
        if loss is not None and loss.numel() == 1:
            row["loss"] = self._scores.value(loss)
        row |= self._scores.judge(name, predicted, target, ignored)
        if self._clock.step.tier == "full" and target.numel() > 0 and not target.is_complex():
            facts = _moments(target, "target_")
            row |= {key: facts[key] for key in ("target_mean", "target_std", "target_min", "target_max")}

    def became_train(self, span: Span) -> None:
        """A pass in eval mode turned out to be for training."""
        if self._row is not None and self._span is span:
            self._row["step"] = self._clock.step.number

    def close(self) -> None:
        """Record the row, if one is open."""
        row, span = self._row, self._span
        self._row = None
        if row is None or span is None:
            return
        row["phase"] = span.phase
        self._scores.count(span.phase, row)
        if span.phase == "train" and row.get("counted") is not None:
            self._clock.step.facts["accuracy"] = _share(row["correct"], row["counted"])
        self._recorder.row("batches", row)

    def backward_done(self) -> None:
        """The next forward pass brings a new batch."""
        self._fresh = True
        self._models_seen.clear()

    def step_done(self) -> None:
        """The step is over."""
        self.close()
        self.backward_done()

    def clear(self) -> None:
        """Forget the pass under way."""
        self._row = self._span = None
        self._weights.clear()

    def _hash(self, inputs: Tensor) -> object:
        """A content hash of a regular sample of the batch; equal batches have equal hashes on any device."""
        flat = inputs.detach()
        flat = flat.view(-1) if flat.is_contiguous() else flat.reshape(-1)
        # An odd stride does not fall in step with the usual even row lengths.
        stride = max(flat.numel() // HASHED, 1) | 1 if flat.numel() > HASHED else 1
        sample = flat[::stride][:HASHED]
        bits = sample.view(_INTEGERS[sample.element_size()]) if sample.is_floating_point() else sample
        weights = self._weights.get(flat.device)
        if weights is None:
            weights = self._weights[flat.device] = _hash_weights().to(flat.device)
        digest = torch.dot(bits.long(), weights[: len(bits)]) + flat.numel()
        return int(digest.item()) if digest.is_cpu else int(digest.cpu().item())

    def _features(self, inputs: Tensor) -> dict[str, object]:
        self._with_features += 1
        if self._with_features > DENSE_FEATURES and self._with_features % 10:
            return {}
        if not inputs.is_floating_point() or inputs.dim() < 2:
            return {}
        axis = 1 if inputs.dim() in (2, 4, 5) else inputs.dim() - 1
        if inputs.shape[axis] > MOST_FEATURES:
            return {}
        columns = inputs.detach().float().movedim(axis, 0).flatten(1)
        mean = columns.mean(1)
        spread = (columns - mean[:, None]).square().mean(1).sqrt()
        return {"feature_mean": mean.tolist(), "feature_std": spread.tolist()}


_INTEGERS = {1: torch.int8, 2: torch.int16, 4: torch.int32, 8: torch.int64}


def _hash_weights() -> Tensor:
    # A fixed linear congruence instead of a random generator: we consume no random number.
    state, weights = 0x9E3779B97F4A7C15, []
    for _ in range(HASHED):
        state = (state * 6364136223846793005 + 1442695040888963407) % (1 << 64)
        weights.append((state >> 1) | 1)
    return torch.tensor(weights, dtype=torch.int64)


def _moments(tensor: Tensor, prefix: str) -> dict[str, object]:
    summary: Summary = fetch([measure(tensor)])[0]
    _, _, nans, _, zeros, low, high, mean, std, *_ = summary.row(1)
    return {
        f"{prefix}mean": mean,
        f"{prefix}std": std,
        f"{prefix}min": low,
        f"{prefix}max": high,
        f"{prefix}nan": int(nans),
        f"{prefix}zeros": int(zeros),
    }


def _share(correct: object, counted: object) -> object:
    if isinstance(counted, (int, float)) and counted == 0:
        return None
    return correct / counted  # type: ignore[operator]  # numbers or one-element tensors
