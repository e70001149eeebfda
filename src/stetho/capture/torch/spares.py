"""What may be lost alone: parts that only add to what a run says. An error of ours in one of them ends that one."""

from stetho.capture.guard import Guard
from stetho.capture.torch.autopsy.autopsy import Autopsies
from stetho.capture.torch.calls.unused import Unused
from stetho.capture.torch.losses.loss_reading import LossReading
from stetho.capture.torch.updates.optimizers import Optimizers

KEEPING = ("pass_begins", "pass_ends", "backward_begins", "missed", "before_update", "parameter_is_nan", "skipped")


def spare_parts(
    guard: Guard, reading: LossReading, optimizers: Optimizers, unused: Unused, autopsies: Autopsies
) -> None:
    """Each line: what is lost, and the methods that the others call."""
    batches, scores = reading.batches, reading.scores
    guard.spare("relations of inputs and targets", batches.relations, "open", "choose", "numbers", "close", "results")
    guard.spare("far-out values", batches.far_values, "add", "result")
    guard.spare("sequences that go on", batches.continued, "add", "result")
    guard.spare("answers left out of a loss", scores.left_out, "look")
    guard.spare("answers that are gathered", scores.gathered, "result")
    guard.spare("recent answers", scores.recent, "result")
    guard.spare("graphs of losses", reading.graphs, "pass_done", "look", "facts")
    guard.spare("losses by hand", reading.by_hand, "find")
    guard.spare("views of a sample", reading.views, "add", "look", "result")
    guard.spare("pairs of views", reading.pairs, "look", "contrast", "result")
    guard.spare("volumes", reading.volumes, "add", "look", "result")
    guard.spare("bounded losses", reading.bounded, "look", "result")
    guard.spare("rows dealt out", reading.dealt, "add", "result")
    guard.spare("mirrored samples", reading.mirrored, "add", "look", "result")
    guard.spare("weights of classes", reading.class_weights, "look", "result")
    guard.spare("copies that lag", optimizers.lagging, "before_update", "evaluated", "result")
    guard.spare("copies that stand still", optimizers.standing, "called", "result")
    guard.spare("gradients left over", optimizers.leftovers, "backward_begins", "backward_ends", "step_done", "result")
    guard.spare("stale gradients", optimizers.staleness, "backward_begins", "step_done", "of")
    guard.spare("results that nobody uses", unused, "follow", "step_done", "finish")
    guard.spare("autopsies", autopsies, *KEEPING, "step_done", "results")
