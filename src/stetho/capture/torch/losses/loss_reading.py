"""What is read off the graph of a loss when its backward pass begins: targets, weights of classes, pairs of views."""

from torch import Tensor

from stetho.capture.step import Clock
from stetho.capture.text.rearranged import turned_at
from stetho.capture.torch.calls.passes import Pass, Place
from stetho.capture.torch.feed.batch_facts import is_among_samples
from stetho.capture.torch.feed.batches import Batches
from stetho.capture.torch.feed.dealt import Dealt
from stetho.capture.torch.feed.mirrored import Mirrored
from stetho.capture.torch.losses.bare import BarePasses
from stetho.capture.torch.losses.bounded import Bounded
from stetho.capture.torch.losses.by_hand import ByHand
from stetho.capture.torch.losses.class_weights import ClassWeights
from stetho.capture.torch.losses.loss_graph import LossGraphs
from stetho.capture.torch.losses.losses import Losses
from stetho.capture.torch.losses.pairs import Pairs
from stetho.capture.torch.losses.scores import Scores
from stetho.capture.torch.losses.views import Views
from stetho.capture.torch.losses.volumes import Volumes


class LossReading:
    """Hears of every loss in the steps that are looked at closely; `results` are what model.json says."""

    def __init__(
        self,
        clock: Clock,
        losses: Losses,
        batches: Batches,
        scores: Scores,
        by_hand: ByHand,
        graphs: LossGraphs,
        bare: BarePasses,
    ) -> None:
        self._clock = clock
        self._losses = losses
        self._batches = batches
        self._scores = scores
        self._by_hand = by_hand
        self._graphs = graphs
        self._bare = bare
        losses.on_bare = bare.loss_called
        losses.on_call = self._on_call
        self._class_weights = ClassWeights()
        self._views = Views()
        self._pairs = Pairs()
        self._volumes = Volumes()
        self._bounded = Bounded()
        self._dealt = Dealt()
        self._mirrored = Mirrored()
        self._place: Place | None = None
        self._has_read = False

    def results(self) -> dict[str, dict[str, object] | None]:
        """What came of it, by the name of the probe."""
        return {
            "class_weights": self._class_weights.result(),
            "views": self._views.result(),
            "pairs": self._pairs.result(),
            "volumes": self._volumes.result(),
            "bounded": self._bounded.result(),
            "dealt": self._dealt.result(),
            "mirrored": self._mirrored.result(),
            "turned": {"line": turned_at(self._place[0])} if self._place is not None else None,
        }

    def _on_call(self, name: str, predicted: Tensor, target: Tensor) -> None:
        is_new = self._clock.step.close and predicted.requires_grad and self._pairs.wants_more
        if is_new and name == "cross_entropy" and is_among_samples(predicted, target):
            self._pairs.contrast(predicted, target)
        if predicted.requires_grad:
            self._mirrored.look(predicted, target)

    def pass_done(self, done: Pass, args: object, output: object) -> None:
        """A pass with gradients gave this output."""
        self._has_read = True
        self._bare.module_called()
        self._graphs.pass_done(output)
        self._views.add(done, args, output)
        self._volumes.add(args, output)
        self._dealt.add(done.model.id, args, done.place)
        self._mirrored.add(args)
        self._place = self._place or done.place

    def step_done(self) -> None:
        """Keep nothing past its step."""
        if self._has_read or self._graphs.values:
            self._has_read = False
            self._graphs.step_done()
            self._forget()

    def clear(self) -> None:
        """Forget everything that is alive."""
        self._graphs.clear()
        self._forget()

    def _forget(self) -> None:
        self._views.clear()
        self._volumes.clear()
        self._mirrored.clear()

    def on_loss(self, loss: Tensor, line: str, value: object) -> None:
        """A backward pass begins at this loss."""
        self._has_read = True
        if self._by_hand.may_read():
            self._bare.backward_begins(loss)
        self._clock.step.facts |= self._graphs.look(loss, line, value)
        if self._batches.awaits_loss:
            found = self._by_hand.find(loss, self._graphs.values)
            if found is not None:
                self._losses.by_hand(found, line)
                self._mirrored.look(found.predicted, found.target)
        passes = self._views.passes
        self._views.look(loss)
        self._volumes.look(loss)
        self._bounded.look(loss)
        if not self._by_hand.may_read():
            return
        if self._pairs.wants_more:
            self._pairs.look(loss, passes, line)
        if self._scores.left_out.wants_more and (answers := self._scores.answers) is not None:
            self._scores.left_out.look(loss, answers)
        if self._class_weights.wants_more:
            labels = self._scores.labels()
            if labels is not None:
                self._class_weights.look(loss, *labels)
