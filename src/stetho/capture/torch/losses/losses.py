"""The functional losses: what they are given, and where they are called. `nn` loss modules go through them as well."""

import functools
import inspect
import sys
import weakref
from collections.abc import Callable
from types import FrameType
from typing import Any

import torch
from torch import Tensor
from torch.nn import Module
from torch.nn.modules.loss import _Loss

from stetho.capture.guard import Guard
from stetho.capture.source import is_user_code, line_of, user_frame
from stetho.capture.step import Clock
from stetho.capture.text.assignments import target_made_at, target_subtracted_at
from stetho.capture.torch.calls.passes import is_transformed
from stetho.capture.torch.feed.batches import Batches
from stetho.capture.torch.feed.padding import facts_of_target
from stetho.capture.torch.losses.differences import Found
from stetho.capture.torch.losses.margins import know_labels
from stetho.capture.torch.losses.term_values import TermValues
from stetho.capture.torch.models.models import describe
from stetho.capture.torch.patches import Patches
from stetho.capture.torch.updates.settings import plain

LOSSES = (
    "binary_cross_entropy",
    "binary_cross_entropy_with_logits",
    "cosine_embedding_loss",
    "cross_entropy",
    "ctc_loss",
    "gaussian_nll_loss",
    "hinge_embedding_loss",
    "huber_loss",
    "kl_div",
    "l1_loss",
    "margin_ranking_loss",
    "mse_loss",
    "multi_margin_loss",
    "multilabel_margin_loss",
    "multilabel_soft_margin_loss",
    "nll_loss",
    "poisson_nll_loss",
    "smooth_l1_loss",
    "soft_margin_loss",
    "triplet_margin_loss",
    "triplet_margin_with_distance_loss",
)
SETTINGS = (
    "reduction",
    "ignore_index",
    "label_smoothing",
    "log_target",
    "log_input",
    "full",
    "delta",
    "beta",
    "margin",
    "p",
    "swap",
    "eps",
    "blank",
    "zero_infinity",
)


class Losses:
    """Every call of a functional loss in the program."""

    def __init__(self, guard: Guard, clock: Clock, batches: Batches) -> None:
        self._clock = clock
        self._batches = batches
        self._called = guard.wrap("loss call", self._on_call, naps=True)
        self.seen: dict[tuple[str, str], dict[str, object]] = {}
        self.on_call: Callable[[str, Tensor, Tensor], None] = lambda _, __, ___: None
        self.on_bare: Callable[[Tensor], None] = lambda _: None
        """Hears of a call that no pass is open for, as long as passes may be without modules."""
        self.on_evaluation: Callable[[Tensor], None] = lambda _: None
        """Hears of a loss that nothing is learnt from."""
        self.may_read: Callable[[], bool] = lambda: False
        """Whether tensors that graphs keep can be read without running the program's own code."""
        self._may_be_bare = True
        self._modules: dict[tuple[str, str], weakref.ref[Module]] = {}
        self._terms: dict[tuple[str, str], TermValues] = {}

    def facts(self, line_of_module: Callable[[Module], object]) -> list[dict[str, object]]:
        """What model.json says of the losses; those of modules with the line where these were made."""
        for key, reference in list(self._modules.items()):
            module = reference()
            line = line_of_module(module) if module is not None else None
            if line is not None:
                self.seen[key]["constructed"] = str(line)
                del self._modules[key]
        terms = {key: values.facts() for key, values in self._terms.items()} if len(self._terms) > 1 else {}
        return [facts | terms.get(key, {}) | {"target_made": _target_made_at(*key)} for key, facts in self.seen.items()]

    def install(self, patches: Patches) -> None:
        """Follow the calls."""
        functional = torch.nn.functional
        for name in LOSSES:
            patches.replace(functional, name, functools.partial(self._wrapped, name))

    def _wrapped(self, name: str, original: Callable[..., Any]) -> Callable[..., Any]:
        signature = inspect.signature(original)
        names = tuple(signature.parameters)

        @functools.wraps(original)
        def loss(*args: Any, **kwargs: Any) -> Any:
            result = original(*args, **kwargs)
            if not torch.compiler.is_compiling() and (self._may_be_bare or self._batches.is_open):
                self._called(name, signature, names, result, args, kwargs)
            return result

        return loss

    def expect_modules(self) -> None:
        """Passes are those of modules: a call without one belongs to nothing."""
        self._may_be_bare = False

    def _on_call(
        self,
        name: str,
        signature: inspect.Signature,
        names: tuple[str, ...],
        result: object,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
    ) -> None:
        if is_transformed() or self._clock.is_elsewhere():
            return
        predicted = args[0] if args else kwargs.get(names[0])
        # Without values, as where only shapes are asked for, nothing is lost.
        if type(predicted) is not Tensor or predicted.is_meta:
            return
        if self._may_be_bare and not self._batches.awaits_loss:
            self.on_bare(predicted)
            if not self._batches.is_open:
                return
        bound = dict(zip(names, args, strict=False)) | kwargs
        target = bound.get("target", bound.get(names[1]))
        if not isinstance(target, Tensor) or target.is_meta:
            return
        if self._clock.step.tier == "full":
            key = self._describe(name, signature, bound, predicted, target)
            if self._batches.phase == "train":
                self._terms.setdefault(key, TermValues()).add(self._clock.step.number, result)
        self.on_call(name, predicted, target)
        self._batches.loss_call(name, predicted, target, result, _ignored(signature, bound))
        if not torch.is_grad_enabled() and isinstance(result, Tensor):
            self.on_evaluation(result)

    def by_hand(self, found: Found, line: str) -> None:
        """A loss without a call: its targets were found in the graph."""
        key = (found.call, line)
        if key not in self.seen:
            facts: dict[str, object] = {
                "call": found.call,
                "line": line,
                "phase": "train",
                "reduction": found.reduction,
            }
            facts |= {"input": describe(found.predicted), "target": describe(found.target)}
            if self._batches.tokens is not None:
                facts |= facts_of_target(self._batches.tokens, found.predicted, found.target, None)
            self.seen[key] = facts | _ranges(found.predicted, found.target)
        self._batches.loss_call(found.call, found.predicted, found.target, found.value, None)

    def _describe(
        self, name: str, signature: inspect.Signature, bound: dict[str, Any], predicted: Tensor, target: Tensor
    ) -> tuple[str, str]:
        """Look at a call when it comes for the first time; says by which name and line it is known."""
        line = str(line_of(user_frame(sys._getframe(1))))
        key = (name, line)
        if key in self.seen:
            return key
        module = _module_above(sys._getframe(1))
        if module is not None:
            self._modules[key] = weakref.ref(module)
        facts: dict[str, object] = {"call": name, "line": line, "phase": self._batches.phase}
        facts |= {"input": describe(predicted), "target": describe(target)}
        for setting in SETTINGS:
            if setting in signature.parameters:
                facts[setting] = plain(bound.get(setting, signature.parameters[setting].default))
        facts |= _ranges(predicted, target)
        if name == "cross_entropy" and self.may_read() and know_labels(predicted, target):
            facts["knows_labels"] = True
        weight = bound.get("weight")
        if self._batches.tokens is not None:
            facts |= facts_of_target(self._batches.tokens, predicted, target.detach(), _ignored(signature, bound))
        facts["weight"] = _numbers(weight)
        if bound.get("pos_weight") is not None:
            facts["pos_weight"] = _numbers(bound["pos_weight"])
        self.seen[key] = facts
        return key


def _module_above(frame: FrameType | None) -> Module | None:
    """The loss module that called the function, where one did."""
    while frame is not None and not is_user_code(frame.f_code):
        caller = frame.f_locals.get("self") if frame.f_code.co_name == "forward" else None
        if isinstance(caller, _Loss):
            return caller
        frame = frame.f_back
    return None


def _numbers(weight: object) -> list[float] | None:
    if not isinstance(weight, Tensor) or weight.numel() > 1000:
        return None
    return [float(each) for each in weight.detach().flatten().tolist()]


def _ranges(predicted: Tensor, target: Tensor) -> dict[str, object]:
    """Ranges of what the loss was given, and whether its rows are distributions already; taken once for each call."""
    with torch.no_grad():
        given, wanted = predicted.detach().float(), target.detach().float()
        if given.numel() == 0 or wanted.numel() == 0:
            return {}
        low, high = float(given.min()), float(given.max())
        rows = given.sum(1) if given.dim() > 1 and given.shape[1] > 1 else None
        return {
            "input_low": low,
            "input_high": high,
            "rows_sum_to_one": rows is not None and low >= 0 and bool(((rows - 1).abs() < 1e-3).all()),
            "target_low": float(wanted.min()),
            "target_high": float(wanted.max()),
        }


def _ignored(signature: inspect.Signature, bound: dict[str, Any]) -> int | None:
    if "ignore_index" not in signature.parameters:
        return None
    given = bound.get("ignore_index", signature.parameters["ignore_index"].default)
    return int(given)


def _target_made_at(call: str, line: str) -> str | None:
    """Where the target is made; of a loss that is written out, only the line of its backward pass is known."""
    return target_subtracted_at(line) if call.startswith("hand_written") else target_made_at(line)
