"""Optimizers: which parameters they hold, and the step, which is our unit of time."""

import sys
import weakref
from collections.abc import Callable
from time import perf_counter
from types import FrameType
from typing import Any

from torch import Tensor
from torch.nn import Module
from torch.optim import Optimizer
from torch.optim.optimizer import register_optimizer_step_post_hook, register_optimizer_step_pre_hook
from torch.utils.hooks import RemovableHandle

from stetho.capture.guard import Guard
from stetho.capture.lines import Lines
from stetho.capture.source import line_of, name_in_frame, user_frame
from stetho.capture.step import Clock, Step
from stetho.capture.torch.calls.finite import FiniteCheck
from stetho.capture.torch.models.ancestry import Ancestry
from stetho.capture.torch.models.models import Models
from stetho.capture.torch.numbers import Number
from stetho.capture.torch.patches import Patches
from stetho.capture.torch.updates.holders import Holders, Place
from stetho.capture.torch.updates.lagging import Lagging
from stetho.capture.torch.updates.leftovers import Leftovers
from stetho.capture.torch.updates.parameters import Parameters
from stetho.capture.torch.updates.settings import parameters_of, plain
from stetho.capture.torch.updates.staleness import Staleness
from stetho.capture.torch.updates.standing import Standing

STEP_FILE = sys.modules[Optimizer.__module__].__file__


class Optimizers:
    """All optimizers of the program. `on_model` hears of modules that they train, `on_step` of finished steps."""

    def __init__(
        self, guard: Guard, clock: Clock, models: Models, ancestry: Ancestry, parameters: Parameters, lines: Lines
    ) -> None:
        self._guard = guard
        self._clock = clock
        self._models = models
        self._ancestry = ancestry
        self._parameters = parameters
        self._lines = lines
        self._known: list[tuple[weakref.ref[Optimizer], str | None]] = []
        self.count = 0
        self._last: dict[int, dict[str, object]] = {}
        self._holders = Holders()
        self._names: dict[int, dict[int, str | None]] = {}
        self._running: list[int] = []
        self.staleness = Staleness()
        self.leftovers = Leftovers()
        self.lagging = Lagging(models)
        self.standing = Standing(self.lagging)
        self._started = 0.0
        self._ours = 0.0
        self._elsewhere = 0.0
        self._handles: list[RemovableHandle] = []
        self.on_model: Callable[[Module], None] = lambda _: None
        self.on_begin: Callable[[Optimizer], None] = lambda _: None
        self.finite: FiniteCheck | None = None
        self.on_gradients: Callable[[Number | None], None] = lambda _: None
        self.on_step: Callable[[Optimizer | None], None] = lambda _: None

    def install(self, patches: Patches) -> None:
        """Follow every optimizer."""
        made = self._guard.wrap("optimizer made", self._on_made)
        patches.around(Optimizer, "__init__", after=lambda _, optimizer, *__, **___: made(optimizer))
        begin = self._guard.wrap("step begin", self._on_begin)
        end = self._guard.wrap("step end", self._on_end)
        self._handles = [
            # A hook that returns something would replace the arguments of the step: these give None.
            register_optimizer_step_pre_hook(begin),
            register_optimizer_step_post_hook(end),
        ]

    def remove(self) -> None:
        """Stop following."""
        for handle in self._handles:
            handle.remove()
        self._parameters.clear()
        self.staleness.clear()
        self.leftovers.clear()
        self.lagging.clear()
        self.standing.clear()

    def index(self, optimizer: Optimizer) -> int:
        """The number of an optimizer, in the order they were made."""
        for number, (reference, _) in enumerate(self._known):
            if reference() is optimizer:
                return number
        self.adopt(optimizer, None)
        return len(self._known) - 1

    def adopt(self, optimizer: Optimizer, frame: FrameType | None) -> None:
        """Learn which models an optimizer trains, and what the program calls parameters that no module holds."""
        line = line_of(user_frame(frame)) if frame is not None else None
        self._take(optimizer, str(line) if line else None)
        user = user_frame(frame or sys._getframe(1))
        self._look_for_wholes(user)
        loose = self._without_model(optimizer, user)
        self._names[id(optimizer)] = {id(parameter): name_in_frame(parameter, user) for parameter in loose}

    def _take(self, optimizer: Optimizer, line: str | None) -> None:
        """Give an optimizer its number: that of the one before it, if that one is made anew."""
        number = self._holders.number(optimizer, line, self._clock.done, self.count) if line else self.count
        is_another = number >= self.count
        if not is_another:
            self._known[number] = (weakref.ref(optimizer), line)
        else:
            self._known.append((weakref.ref(optimizer), line))
            self.count += 1
            # Another optimizer may have had this id before: a function that trains makes one whenever it is called.
            self.staleness.forget(id(optimizer))
            self.leftovers.forget(id(optimizer))
            self.lagging.optimizers.discard(id(optimizer))
        if self._holders.add(number, optimizer) or is_another:
            # Even one that holds nothing new: it may be that of a layer which is replaced a line later.
            self._clock.begin_anew()

    def _look_for_wholes(self, user: FrameType | None) -> None:
        """Models that have become parts of another one since we met them."""
        for model in list(self._models.all):
            root = model.ref()
            top = self._ancestry.top(root) if root is not None else None
            if top is not root and top is not None:
                self._models.adopt(top, user)
                self.on_model(top)

    def _without_model(self, optimizer: Optimizer, user: FrameType | None = None) -> list[Tensor]:
        """The parameters that no model holds, after a look for such models."""
        found = []
        for parameter in parameters_of(optimizer):
            if self._models.weight(parameter) is not None:
                continue
            owner = self._ancestry.owner(parameter)
            if owner is not None:
                top = self._models.adopt(owner, user).ref()
                if top is not None:
                    self.on_model(top)
            if self._models.weight(parameter) is None:
                found.append(parameter)
        return found

    def _name_loose(self, optimizer: Optimizer) -> None:
        """By the time of a step every model has been called; what is unknown still is held by none."""
        loose = self._without_model(optimizer)
        if loose:
            names = self._names.pop(id(optimizer), {})
            self._models.adopt_loose([(names.get(id(parameter)), parameter) for parameter in loose])

    def holders(self) -> dict[int, Place]:
        """Which optimizer and group holds, or held as long as it lived, a parameter, by its id."""
        for number, (reference, _) in enumerate(self._known):
            optimizer = reference()
            if optimizer is not None:  # groups may have come to it since
                self._holders.add(number, optimizer)
        return self._holders.places()

    def line(self, number: int) -> str | None:
        """Where an optimizer is made."""
        return self._known[number][1]

    def alive(self) -> list[Optimizer]:
        """All optimizers that there are."""
        return [optimizer for reference, _ in self._known if (optimizer := reference()) is not None]

    def stepped(self) -> list[Optimizer]:
        """Those that have stepped in the thread that is followed: gradients of another may go while we look at them."""
        return [each for each in self.alive() if id(each) in self.lagging.optimizers]

    def holder_of(self, name: str) -> tuple[Tensor | None, Optimizer | None]:
        """The parameter of that name, and the optimizer that holds it."""
        for reference, _ in self._known:
            optimizer = reference()
            for parameter in parameters_of(optimizer) if optimizer is not None else ():
                if self._name(parameter) == name:
                    return parameter, optimizer
        return None, None

    def results(self) -> dict[str, dict[str, object] | None]:
        """What came of looking at gradients and weights, by the name of the probe."""
        copies = {"standing": self.standing.result(), "following": self.standing.following()}
        return {"leftovers": self.leftovers.result(), "lagging": self.lagging.result(), **copies}

    def facts(self) -> list[dict[str, object]]:
        """What model.json says of the optimizers."""
        return [self._facts(number, *known) for number, known in enumerate(self._known)]

    def _facts(self, number: int, reference: weakref.ref[Optimizer], line: str | None) -> dict[str, object]:
        optimizer = reference()
        remade = {"remade": self._holders.times_remade(number)}
        if optimizer is None:
            return self._last.get(number, {"id": number, "class": None, "line": line, "groups": []}) | remade
        groups = [
            {key: plain(value) for key, value in group.items() if key not in ("params", "param_names")}
            | {"parameters": [self._name(parameter) for parameter in group["params"]]}
            for group in optimizer.param_groups
        ]
        self._last[number] = {"id": number, "class": type(optimizer).__name__, "line": line, "groups": groups}
        return self._last[number] | remade

    def _name(self, parameter: Tensor) -> str | None:
        weight = self._models.weight(parameter)
        return weight.name if weight is not None else None

    def _on_made(self, optimizer: Optimizer) -> None:
        if all(reference() is not optimizer for reference, _ in self._known):
            self.adopt(optimizer, sys._getframe(1))

    def _on_begin(self, optimizer: Optimizer, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        if self._clock.is_elsewhere():
            return
        # An optimizer may step another one inside; the outermost step counts.
        if self._running and self._running[0] != id(optimizer) and _is_on_stack(self._running[0], sys._getframe(1)):
            self._running.append(id(optimizer))
            return
        self._running = [id(optimizer)]
        if self._guard.asleep:
            return
        step = self._clock.step
        step.in_closure = kwargs.get("closure") is not None or (len(args) > 1 and args[1] is not None)
        norm = self._look_before(optimizer, step, sys._getframe(1))
        self.on_gradients(norm)
        self._elsewhere = step.forward_seconds + step.backward_seconds
        self._started, self._ours = perf_counter(), self._guard.so_far()

    def _look_before(self, optimizer: Optimizer, step: Step, frame: FrameType) -> Number | None:
        """Look at gradients and weights before the update; returns the norm of the gradient, where it was taken."""
        step.facts["optimizer"] = self.index(optimizer)
        self.on_begin(optimizer)
        if id(optimizer) not in self.lagging.optimizers:
            self.lagging.before_update(optimizer)
        every = parameters_of(optimizer)
        if self.finite is not None:
            self.finite.parameters(every)
        if step.tier != "clock":
            step.facts["stale_grad"] = self.staleness.of(optimizer)
        if step.close:
            self._lines.note("step", frame)
        if step.tier == "full":
            plan = self._parameters.known(every)
            if plan is None:
                self._name_loose(optimizer)
            norm = self._parameters.before(every, plan, gradients=not step.in_closure)
        elif step.tier == "cheap" and not step.in_closure:
            norm = self._parameters.cheap_norm(every)
        else:
            norm = None
        step.facts["grad_norm"] = norm
        return norm

    def _on_end(self, optimizer: Optimizer, _args: object, _kwargs: object) -> None:
        if not self._running or self._clock.is_elsewhere():
            return
        if self._running.pop() != id(optimizer) or self._running:
            return
        step = self._clock.step
        if self._guard.asleep or step.partial:
            self.on_step(optimizer)
            return
        # A closure runs its passes inside of the step; they have times of their own.
        passes = step.forward_seconds + step.backward_seconds
        elsewhere = passes - self._elsewhere + self._guard.seconds - self._ours
        step.optimizer_seconds += max(perf_counter() - self._started - elsewhere, 0.0)
        step.event("step")
        if step.in_closure and step.tier != "clock" and step.facts.get("stale_grad") is None:
            # The passes of a closure begin after the step did: only now is it known what they found.
            step.facts["stale_grad"] = self.staleness.of(optimizer)
        self.staleness.step_done(optimizer)
        if self.count > 1:
            self.leftovers.step_done(optimizer, self.index(optimizer))
        if step.tier == "full":
            if step.in_closure:
                step.facts["grad_norm"] = self._parameters.gradients(parameters_of(optimizer))
            self._parameters.after(optimizer, step.number)
        self.on_step(optimizer)


def _is_on_stack(optimizer: int, frame: FrameType | None) -> bool:
    """Whether the step of an optimizer is still under way: one that raised never came to its end."""
    while frame is not None:
        if frame.f_code.co_filename == STEP_FILE and id(frame.f_locals.get("self")) == optimizer:
            return True
        frame = frame.f_back
    return False
