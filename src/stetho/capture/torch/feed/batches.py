"""What each forward pass was fed and what its loss call saw: one row of `batches` for each pass that is looked at."""

import torch
from torch import Tensor

from stetho.capture.recorder import Recorder
from stetho.capture.step import Clock
from stetho.capture.torch.calls.activations import Span
from stetho.capture.torch.calls.leaves import first_tensor
from stetho.capture.torch.feed.ahead import beside
from stetho.capture.torch.feed.batch_facts import SQUARED, features, is_among_samples, kind_of_error, moments
from stetho.capture.torch.feed.continued import Continued
from stetho.capture.torch.feed.far_values import FarValues
from stetho.capture.torch.feed.padding import Tokens, tokens_in
from stetho.capture.torch.feed.relations import Relations
from stetho.capture.torch.feed.samples import content_hash, regular_sample, sample_rows, with_other_ids
from stetho.capture.torch.losses.bare_graph import rows_chosen
from stetho.capture.torch.losses.comparisons import Comparisons
from stetho.capture.torch.losses.scores import Scores
from stetho.capture.torch.numbers import number
from stetho.records import Tier

MOST_PLACES = 8
DENSE_CHEAP = 50
"""Batches are described in so many cheap steps, then in every tenth of them,"""
MANY_CHEAP = 500
"""and after so many in every fiftieth."""
DENSE = 20
"""Moments of inputs and targets are taken in so many full steps, then in every tenth: data change less than weights."""


class Batches:
    """The batch of the forward pass under way or last seen."""

    def __init__(self, recorder: Recorder, clock: Clock, scores: Scores, comparisons: Comparisons) -> None:
        self._recorder = recorder
        self._clock = clock
        self._scores = scores
        self._comparisons = comparisons
        self._error: str | None = None
        self._row: dict[str, object] | None = None
        self._span: Span | None = None
        self._is_inside = self._was_inside = False  # the pass is under way; its loss was called while it was
        self._fresh = True
        self._models_seen: set[int] = set()
        self._sample: tuple[Tensor, int] | None = None
        self._first_samples: Tensor | None = None
        self.relations = Relations()
        self.continued = Continued()
        self.far_values = FarValues()
        self._close_looks: dict[tuple[str, int], int] = {}
        self._close = False
        self.tokens: Tokens | None = None
        self._right = self._counted = 0
        self._cheap = 0
        self.trained_at: set[object] = set()
        """Places in the program whose passes a backward pass came through."""
        self.evaluated_at: list[tuple[str, int]] = []
        """Places whose passes were for evaluation, in the order they were seen."""
        self.evaluated_by: list[str] = []
        """Lines that call a function which evaluates and trains at one and the same place."""
        self.loader: int | None = None
        self.train_loader: int | None = None

    @property
    def is_open(self) -> bool:
        """Whether a loss call now would find a batch to belong to."""
        return self._row is not None

    @property
    def awaits_loss(self) -> bool:
        """Whether the pass under way is one of training whose loss function was not seen."""
        return self._row is not None and "loss_call" not in self._row and self.phase == "train"

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
            if self._row is not None:
                self._tell_evaluation()
            self.train_loader = self.loader
        if training and self._fresh and size is not None:
            step.batch_size = (step.batch_size or 0) + size
            self._fresh = False
        if model in self._models_seen if training else not self._fresh:
            # Another pass over the same batch, or one without gradients in the middle of a step, as a teacher makes.
            return
        if self._row is not None:
            self.close()
        # Of a pass at a new place it is not known yet whether it trains: it may be a rare evaluation.
        is_known = not self.trained_at or getattr(span, "place", None) in self.trained_at
        if training and not self._is_described(step.tier if is_known or step.close else "cheap"):
            return
        if training:
            self._models_seen.add(model)
        self._span = span
        self._is_inside, self._was_inside = True, False
        self._row = self._facts(model, span, inputs)
        if self._close and inputs is not None:
            self._first_samples = sample_rows(with_other_ids(inputs, args, kwargs))
            self.tokens = tokens_in(inputs, beside(inputs, args, kwargs))
            self.relations.open(span.phase, model, inputs, args, kwargs)
            if training:
                self.far_values.add(model, inputs)

    def _is_described(self, tier: Tier) -> bool:
        if tier == "cheap":
            self._cheap += 1
            return self._cheap <= DENSE_CHEAP or self._cheap % (10 if self._cheap <= MANY_CHEAP else 50) == 0
        return self._clock.step.close

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
        self._close = False
        self.tokens = None
        if inputs is None:
            return row
        row["size"] = inputs.shape[0] if inputs.dim() > 0 else 1
        row["shape"] = list(inputs.shape)
        row["dtype"] = str(inputs.dtype).removeprefix("torch.")
        if inputs.numel() > 0 and not inputs.is_complex() and inputs.layout is torch.strided:
            self._sample = (regular_sample(inputs), inputs.numel())
            self._close = step.tier == "full" and self._is_due(span.phase, model)
            if self._close:
                row |= moments(inputs, "") | features(inputs)
        return row

    def _is_due(self, phase: str, model: int) -> bool:
        """Whether this pass is looked at closely: the first ones of a model in a phase, then every tenth."""
        looks = self._close_looks[phase, model] = self._close_looks.get((phase, model), 0) + 1
        return looks <= DENSE or looks % 10 == 0

    def output(self, span: Span, output: object) -> None:
        """The pass gave this output."""
        if self._row is None or span is not self._span:
            return
        self._is_inside = False
        tensor = first_tensor(output)
        if tensor is not None and (span.phase == "eval" or getattr(span, "place", None) not in self.trained_at):
            self._comparisons.follow(tensor)
        if not self._close:
            return
        if tensor is None or not tensor.is_floating_point() or tensor.layout is not torch.strided:
            return
        if tensor.dim() > 0 and tensor.shape[0] > 1 and tensor.numel() > 0:
            samples = tensor.detach().float().flatten(1) if tensor.dim() > 1 else tensor.detach().float()[:, None]
            # What lies between the samples, and with what lies between the means of their places all of it.
            means = samples.mean(0)
            spread = torch.linalg.vector_norm(samples - means) / samples.numel() ** 0.5
            self._row["output_spread"] = number(spread)
            self._row["output_std"] = number((spread.square() + (means - means.mean()).square().mean()).sqrt())

    def loss_call(self, name: str, predicted: Tensor, target: Tensor, result: object, ignored: int | None) -> None:
        """A recognised loss function was called: what it saw belongs to the pass before it."""
        row = self._row
        # A term that the model makes of its own inner values comes before the one that judges its answers.
        if row is None or ("loss_call" in row and (self._is_inside or not self._was_inside)):
            return
        self._was_inside = self._is_inside
        row["loss_call"] = name
        self._comparisons.forget()
        if self.phase == "train" and self._close:
            self._error = kind_of_error(name, predicted, target, result, self._clock.step.losses)
            self._follow(target)
        loss = result if isinstance(result, Tensor) else None
        if loss is not None and loss.numel() == 1:
            row["loss"] = self._scores.value(loss)
        self._scores.judge(name, predicted, target, ignored)
        if self.relations.is_open and is_among_samples(predicted, target):
            # Where a sample lies in its batch says nothing about it.
            self.relations.clear()
        if predicted.grad_fn is not None and predicted.dim() and self.relations.count > len(predicted):
            self.relations.choose(rows_chosen(predicted, self.relations.count))
        self.relations.numbers(target)
        if self._clock.step.tier == "full" and self._close and target.numel() > 0 and not target.is_complex():
            facts = moments(target, "target_")
            row |= {key: facts[key] for key in ("target_mean", "target_std", "target_min", "target_max")}

    def _follow(self, target: Tensor) -> None:
        tokens = self.tokens
        sequences = None if tokens is None else tokens.numbers if tokens.ids is None else tokens.ids
        if sequences is not None:
            self.continued.add(self._clock.step.number, sequences, target)

    def evaluated_for(self, line: object) -> None:
        """A pass without gradients, at a place that is trained at as well, was asked for by this line."""
        if line is not None and str(line) not in self.evaluated_by and len(self.evaluated_by) < MOST_PLACES:
            self.evaluated_by.append(str(line))

    def set_size(self, size: int) -> None:
        """The pass under way is one over so many samples, of which the inputs are not known."""
        if self._row is not None:
            self._row.setdefault("size", size)

    def became_train(self, span: Span) -> None:
        """A pass in eval mode turned out to be for training."""
        if self._row is None or self._span is not span:
            return
        step, size = self._clock.step, self._row.get("size")
        self._row["step"] = step.number
        self.train_loader = self.loader
        if isinstance(size, int):
            step.batch_size = (step.batch_size or 0) + size

    def _tell_evaluation(self) -> None:
        """A pass in training mode that had its answers judged, and is over without a backward pass, evaluated."""
        row, span = self._row, self._span
        if row is None or span is None or span.phase == "eval" or self._fresh or not self.trained_at:
            return
        is_judged = "loss_call" in row or self._comparisons.found
        if not is_judged or getattr(span, "place", None) in self.trained_at:
            return
        span.phase = "eval"
        row["step"] = self._clock.done
        step, size = self._clock.step, row.get("size")
        if isinstance(size, int):
            step.batch_size = (step.batch_size or 0) - size or None
        self.close()
        self.backward_done()

    def loader_begins(self, loader: int) -> None:
        """A loader starts anew: an epoch, if it is the one that is trained on."""
        if loader == self.train_loader:
            self._scores.new_epoch()

    def close(self) -> None:
        """Record the row, if one is open."""
        self._tell_evaluation()
        row, span = self._row, self._span
        self._row = None
        if row is None or span is None:
            return
        apart, wanted = self._comparisons.apart, self._comparisons.wanted
        if wanted is not None and span.phase == "eval":
            self.relations.numbers(wanted)
        if apart is not None and span.phase == "eval" and self._error is not None:
            row["loss_call"] = self._error
            row["loss"] = number(apart.square().mean() if self._error in SQUARED else apart.abs().mean())
        self._comparisons.forget()
        row["phase"] = span.phase
        place = getattr(span, "place", None) if span.phase == "eval" else None
        if place is not None and place not in self.evaluated_at and len(self.evaluated_at) < MOST_PLACES:
            self.evaluated_at.append(place)
        if self._sample is not None:
            row["hash"] = content_hash(*self._sample)
            self._sample = None
        if self._first_samples is not None:
            row["samples"] = [content_hash(sample, 0) for sample in self._first_samples.cpu()]
            self._first_samples = None
        labels = self._scores.labels() if self.relations.is_open else None
        counted = self._scores.count(span.phase, row)
        self.relations.close(span.phase, labels)
        if span.phase == "train" and counted:
            self._right += row["correct"]  # type: ignore[operator]  # a number by now
            self._counted += counted
            self._clock.step.facts["accuracy"] = self._right / self._counted
        self._recorder.row("batches", row)

    def results(self) -> dict[str, dict[str, object] | None]:
        """What came of looking at the data, by the name of the probe."""
        found = {"continued": self.continued.result(), "far_values": self.far_values.result()}
        return {**(self.relations.results() or {}), **found}

    def backward_done(self) -> None:
        """The next forward pass brings a new batch."""
        self._fresh = True
        self._models_seen.clear()

    def step_done(self) -> None:
        """The step is over."""
        if self._row is not None:
            self.close()
            self.relations.clear()
        self._fresh = True
        self._models_seen.clear()
        self._right = self._counted = 0

    def clear(self) -> None:
        """Forget the pass under way."""
        self._comparisons.forget()
        self._row = self._span = self._sample = self._first_samples = None
        self.relations.clear()
        self.tokens = None
