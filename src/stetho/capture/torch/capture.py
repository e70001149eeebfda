"""PyTorch under watch: the parts put together, installed and taken away again."""

from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn import Module
from torch.optim import Optimizer

from stetho.capture.budget import budget_of
from stetho.capture.guard import Guard
from stetho.capture.limit import Limit
from stetho.capture.lines import Lines
from stetho.capture.recorder import Recorder
from stetho.capture.step import Clock, Step
from stetho.capture.torch.calls.activations import Activations
from stetho.capture.torch.calls.finite import FiniteCheck
from stetho.capture.torch.calls.forward import Forward
from stetho.capture.torch.calls.histograms import Histograms
from stetho.capture.torch.calls.layers import Layers
from stetho.capture.torch.calls.looks import Looks, looks_closely
from stetho.capture.torch.calls.unused import Unused
from stetho.capture.torch.description import Description
from stetho.capture.torch.deterministic import Randomness, make_deterministic
from stetho.capture.torch.feed.batches import Batches
from stetho.capture.torch.feed.loaders import Loaders
from stetho.capture.torch.hindsight import make_autopsies
from stetho.capture.torch.losses.bare import BarePasses
from stetho.capture.torch.losses.by_hand import ByHand
from stetho.capture.torch.losses.comparisons import Comparisons
from stetho.capture.torch.losses.derivatives import Derivatives
from stetho.capture.torch.losses.loss_graph import LossGraphs
from stetho.capture.torch.losses.loss_reading import LossReading
from stetho.capture.torch.losses.losses import Losses
from stetho.capture.torch.losses.scores import Scores
from stetho.capture.torch.model_file import ModelFile
from stetho.capture.torch.models.ancestry import Ancestry
from stetho.capture.torch.models.compiled import Compiled
from stetho.capture.torch.models.models import Models
from stetho.capture.torch.models.variant import Variant
from stetho.capture.torch.numbers import HAS_DEVICE, device_memory
from stetho.capture.torch.patches import Patches
from stetho.capture.torch.scripting import scripting
from stetho.capture.torch.spares import spare_parts
from stetho.capture.torch.unheard import keep_unheard
from stetho.capture.torch.updates.backward import Backward
from stetho.capture.torch.updates.loop import Loop
from stetho.capture.torch.updates.manual import ManualSteps
from stetho.capture.torch.updates.optimizers import Optimizers
from stetho.capture.torch.updates.parameters import Parameters
from stetho.capture.torch.updates.settings import learning_rates
from stetho.config import Options
from stetho.records import StepsReached, Voice


class TorchCapture:
    """Everything that watches a PyTorch program."""

    def __init__(self, options: Options, recorder: Recorder, guard: Guard, voice: Voice) -> None:
        self._options = options
        self._recorder = recorder
        self._guard = guard
        keep_unheard(guard)
        self.clock = Clock(budget_of(options), guard, recorder)
        if looks_closely(options):
            self.clock.stay_awake()
        self._limit = Limit(options)
        self._lines = Lines()
        self._patches = Patches()
        self._ancestry = Ancestry(guard)
        self._models = Models(self._ancestry)
        self._activations = Activations(recorder)
        self._histograms = Histograms(recorder)
        self.scores = Scores(recorder)
        self._batches = Batches(recorder, self.clock, self.scores, Comparisons(guard, self.scores))
        self._layers = Layers(guard, self._activations, self._histograms, options)
        self._forward = Forward(guard, self.clock, self._models, self._layers, self._activations, self._batches)
        self._backward = Backward(guard, self.clock, self._forward, self._batches, self._lines)
        self._parameters = Parameters(self._activations, self._models, self._histograms, options.layers)
        self._optimizers = Optimizers(guard, self.clock, self._models, self._ancestry, self._parameters, self._lines)
        if options.finite:
            self._optimizers.finite = FiniteCheck(guard, self.clock, recorder, self._models, self._layers)
        self._unused = Unused(recorder, self.clock, self._batches, self._lines)
        self._loop = Loop(guard, self.clock, self._backward, self._optimizers, self._lines)
        self._losses = Losses(guard, self.clock, self._batches)
        self._by_hand = ByHand()
        self._loss_graphs = LossGraphs(self._models, self._by_hand.may_read)
        self._bare = BarePasses(guard, self.clock, self._models, self._batches, self._loss_graphs)
        self._reading = LossReading(
            self.clock, self._losses, self._batches, self.scores, self._by_hand, self._loss_graphs, self._bare
        )
        parts = (self._forward, self._optimizers, self._lines, self._models)
        self._autopsies = make_autopsies(options, guard, self.clock, recorder, voice, parts)
        self.open_shell = guard.wrap("shell", self._autopsies.open_shell)
        self._loaders = Loaders(guard, self.clock, self._batches)
        self._compiled = Compiled(guard, self._forward, self._models, recorder, eager=options.eager)
        self._manual = ManualSteps(self.clock, self._models, self._optimizers, self._parameters, recorder)
        program = (self._ancestry, self._models, self._optimizers, self._loaders)
        description = Description(*program, self._losses, self._loss_graphs, self._loop, self._lines)
        randomness = Randomness(self._models, self._loaders) if options.deterministic else None
        self._model_file = ModelFile(guard, self.clock, recorder, self._models, description, self._probes, randomness)
        self._looks = Looks(options, self.clock, recorder, self._models, self._layers, voice)
        self.epoch: int | None = None
        self._variant = Variant(options.variant)
        self._undo: list[Callable[[], None]] = []
        self.on_epoch: Callable[[int | None, int], None] = lambda _, __: None
        spare_parts(guard, self._reading, self._optimizers, self._unused, self._autopsies)
        self._connect()

    def install(self) -> None:
        """Begin to watch."""
        if self._options.deterministic:
            self._undo.append(make_deterministic())
        for part in (
            self._ancestry,
            self._optimizers,
            self._forward,
            self._backward,
            self._loop,
            self._losses,
            self._by_hand,
            self._bare,
            Derivatives(self._guard, self._lines),
            self._autopsies,
            self._loaders,
            self._compiled,
        ):
            part.install(self._patches)
        self._patches.replace(torch.jit, "script", scripting(lambda _: self._patches.suspended()))
        self._prepare_step()

    def adopt(self, model: Module | None, optimizers: list[Optimizer]) -> None:
        """Take a model and its optimizers that were made before we came."""
        if model is not None:
            self._models.adopt(model)
            self._forward.watch_entry(model)
            self._variant.apply(model)
            self._compiled.adopt(model)
        for optimizer in optimizers:
            self._optimizers.adopt(optimizer, None)

    def finish(self) -> None:
        """Record what is left at the end."""
        self._manual.finish()
        self._autopsies.finish()
        self._batches.close()
        self._unused.finish()
        self._activations.flush(self.clock.done)
        self.scores.finish()
        if self._recorder.path is not None:
            self._model_file.write()

    def totals(self) -> dict[str, object]:
        """What it came to, also after an error of ours."""
        return {
            "steps": self.clock.done,
            "metrics": self.scores.final,
            "tiers": {f"steps_{tier}": count for tier, count in self.clock.tiers.items()},
        }

    def remove(self) -> None:
        """Take everything away."""
        self._autopsies.clear()
        self._forward.remove()
        self._compiled.remove()
        self._optimizers.remove()
        self._ancestry.remove()
        self._backward.remove()
        self._patches.undo()
        while self._undo:
            self._undo.pop()()
        keepers = (self._activations, self._histograms, self._batches, self.scores, self._parameters, self._reading)
        for keeper in (*keepers, self._unused):
            keeper.clear()

    def _connect(self) -> None:
        self._optimizers.on_model = self._on_model
        self._optimizers.on_begin = self._before_update
        self._optimizers.on_step = self._end_step
        self._loop.on_skipped = self._on_skipped
        self._manual.end_step = self._end_manual_step
        self._bare.on_train = self._manual.before_pass
        self._bare.on_modules = self._losses.expect_modules
        self._forward.on_train = self._bare.pass_begins
        self._forward.on_trained = self._unused.follow
        self._forward.on_found = self._compiled.adopt
        self._forward.on_output = self._reading.pass_done
        self._forward.on_call = self._autopsies.pass_begins
        self._forward.on_evaluated = self._optimizers.lagging.evaluated
        self._forward.on_begun = self._optimizers.standing.called
        self._forward.on_result = self._autopsies.pass_ends
        self._backward.on_value = self._autopsies.backward_begins
        self._backward.on_missed = self._autopsies.missed
        self._optimizers.on_gradients = self._autopsies.before_update
        self._losses.on_evaluation = self._autopsies.evaluations.missed
        self._autopsies.on_found = self._model_file.write_news
        self._compiled.apart = self._autopsies.apart
        self._parameters.on_nan = self._autopsies.parameter_is_nan
        self._backward.on_loss = self._reading.on_loss
        self._backward.on_begin = self._before_backward
        self._backward.on_end = self._after_backward
        self._backward.is_by_hand = lambda: self._optimizers.count == 0

    def _on_model(self, top: Module) -> None:
        self._forward.watch_entry(top)
        self._variant.apply(top)
        if self._forward.compiled:
            self._forward.watch_layers(self._models.adopt(top))

    def _before_backward(self) -> None:
        if self._manual.active:
            self._manual.before_pass()
        if self.clock.step.tier != "clock":
            self._optimizers.staleness.backward_begins()
            if self._optimizers.count > 1:
                self._optimizers.leftovers.backward_begins(self._optimizers.stepped())

    def _after_backward(self, loss: Tensor | None) -> None:
        if self._manual.active or self.clock.step.number == 1:
            self._manual.after_backward(loss)
        if self._optimizers.count > 1:
            self._optimizers.leftovers.backward_ends()

    def _on_skipped(self, optimizer: Optimizer) -> None:
        self._manual.optimizer_steps()
        self._autopsies.skipped()
        self.clock.step.facts["optimizer"] = self._optimizers.index(optimizer)
        self._end_step(optimizer)

    def _before_update(self, optimizer: Optimizer) -> None:
        self._backward.update_begins()
        self._manual.optimizer_steps()
        if self._looks.is_dumping:
            self._looks.before_update(optimizer)

    def _end_step(self, optimizer: Optimizer | None) -> None:
        step = self.clock.step
        if step.tier == "asleep" or step.partial:
            self._sleep_on(step)
            return
        if self._looks.is_dumping:
            self._looks.step_done()
        if step.tier == "full":
            self._activations.flush(step.number)
            self._histograms.flush(step.number)
        self._batches.step_done()
        if self._unused.is_due or self._batches.evaluated_at or self._batches.evaluated_by:
            self._unused.step_done()
        self._reading.step_done()
        if optimizer is not None and self._limit.is_set:
            self._limit.stepped(self._optimizers.index(optimizer))
        if HAS_DEVICE:
            step.facts |= device_memory()
        epoch = self._loaders.epoch(self._batches.train_loader)
        if epoch is not None and epoch != self.epoch:
            self.on_epoch(self.epoch, epoch)
            self.epoch = epoch
        self.clock.end(epoch, learning_rates(optimizer) if optimizer is not None else [])
        self._model_file.write_if_due(step.number)
        self._prepare_step()
        self._autopsies.step_done()
        self._stop_if_reached()

    def _end_manual_step(self) -> None:
        # Only what we see of the next pass tells that this step is over.
        self.clock.stay_awake()
        self._end_step(None)

    def _sleep_on(self, step: Step) -> None:
        if step.partial:
            self._batches.step_done()
            self._reading.step_done()
        if not self.clock.sleep_on() and self.clock.step.tier != "asleep":
            self._prepare_step()
        if step.partial:
            self._autopsies.step_done()
        self._stop_if_reached()

    def _stop_if_reached(self) -> None:
        limit = self._limit
        if limit.is_set and (limit.is_reached(self.clock.done, self._optimizers.count) or self._autopsies.is_over):
            raise StepsReached(0)

    def _prepare_step(self) -> None:
        if self._looks.is_dumping:
            self._looks.prepare_step()
        is_armed = self._forward.hooks.armed
        if is_armed != (self.clock.step.tier == "full" or bool(self._layers.looks)):
            (self._forward.disarm if is_armed else self._forward.arm)()

    def _probes(self) -> dict[str, object]:
        return {
            **self._batches.results(),
            "answers": self.scores.recent.result(),
            "gathered": self.scores.gathered.result(),
            **self._optimizers.results(),
            **self._reading.results(),
            **(self._autopsies.results() or {}),
        }
