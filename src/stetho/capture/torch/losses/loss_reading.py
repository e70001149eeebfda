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
        self.batches = batches
        self.scores = scores
        self.by_hand = by_hand
        self.graphs = graphs
        self._bare = bare
        losses.on_bare = bare.loss_called
        losses.on_call = self._on_call
        losses.may_read = by_hand.may_read
        self.class_weights = ClassWeights()
        self.views = Views()
        self.pairs = Pairs()
        self.volumes = Volumes()
        self.bounded = Bounded()
        self.dealt = Dealt()
        self.mirrored = Mirrored()
        self._place: Place | None = None
        self._has_read = False

    def results(self) -> dict[str, dict[str, object] | None]:
        """What came of it, by the name of the probe."""
        return {
            "class_weights": self.class_weights.result(),
            "views": self.views.result(),
            "pairs": self.pairs.result(),
            "volumes": self.volumes.result(),
            "bounded": self.bounded.result(),
            "dealt": self.dealt.result(),
            "mirrored": self.mirrored.result(),
            "turned": {"line": turned_at(self._place[0])} if self._place is not None else None,
        }

    def _on_call(self, name: str, predicted: Tensor, target: Tensor) -> None:
        is_new = self._clock.step.close and predicted.requires_grad and self.pairs.wants_more
        if is_new and name == "cross_entropy" and is_among_samples(predicted, target):
            self.pairs.contrast(predicted, target)
        if predicted.requires_grad:
            self.mirrored.look(predicted, target)

    def pass_done(self, done: Pass, args: object, output: object) -> None:
        """A pass with gradients gave this output."""
        self._has_read = True
        self._bare.module_called()
        self.graphs.pass_done(output)
        self.views.add(done, args, output)
        self.volumes.add(args, output)
        self.dealt.add(done.model.id, args, done.place)
        self.mirrored.add(args)
        self._place = self._place or done.place

    def step_done(self) -> None:
        """Keep nothing past its step."""
        if self._has_read or self.graphs.values:
            self._has_read = False
            self.graphs.step_done()
            self._forget()

    def clear(self) -> None:
        """Forget everything that is alive."""
        self.graphs.clear()
        self._forget()

    def _forget(self) -> None:
        self.views.clear()
        self.volumes.clear()
        self.mirrored.clear()

    def on_loss(self, loss: Tensor, line: str, value: object) -> None:
        """A backward pass begins at this loss."""
        self._has_read = True
        if self.by_hand.may_read():
            self._bare.backward_begins(loss)
        self._clock.step.facts |= self.graphs.look(loss, line, value) or {}
        if self.batches.awaits_loss:
            found = self.by_hand.find(loss, self.graphs.values)
            if found is not None:
                self._losses.by_hand(found, line)
                self.mirrored.look(found.predicted, found.target)
        passes = self.views.passes
        self.views.look(loss)
        self.volumes.look(loss)
        self.bounded.look(loss)
        if not self.by_hand.may_read():
            return
        if self.pairs.wants_more:
            self.pairs.look(loss, passes, line)
        if self.scores.left_out.wants_more and (answers := self.scores.answers) is not None:
            self.scores.left_out.look(loss, answers)
        if self.class_weights.wants_more:
            labels = self.scores.labels()
            if labels is not None:
                self.class_weights.look(loss, *labels)
