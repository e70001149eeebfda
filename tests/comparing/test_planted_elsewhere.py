"""More planted differences, each with the place that has to be named."""

import pytest
import torch
from torch.nn import functional as F

from stetho.comparing.kinds import compare
from tests.comparing import other_trainings as o
from tests.comparing.test_planted import Planted
from tests.comparing.trainings import Record

ADAM = {"lr": 0.01, "weight_decay": 0.1}
WEIGHTED, IGNORING = torch.tensor([1.0, 2.0, 3.0]), 0

PLANTED = (
    Planted("norm after", "forward", 1, "norm", {"model": lambda: o.Normed(post=True)}, {"model": o.Normed},
            reason="`embed` gives in the first, `down`"),
    Planted("half in one place", "forward", 1, "down", {"model": lambda: o.Normed(half=True)}, {"model": o.Normed},
            reason="`up` through ToCopy"),
    Planted("autocast", "forward", 1, "embed", {"model": lambda: o.Normed(autocast=True)}, {"model": o.Normed},
            reason="in bfloat16 in the second"),
    Planted("chance of dropout", "forward", 1, "drop", {"model": lambda: o.Normed(drop=0.2)},
            {"model": lambda: o.Normed(drop=0.1)}, reason="p=0.1 in the first, p=0.2"),
    Planted("padding", "forward", 1, "conv", {"model": lambda: o.Convolved(mode="circular")}, {"model": o.Convolved},
            reason="padding_mode=circular"),
    Planted("batch norm eps", "forward", 1, "norm", {"model": lambda: o.Convolved(eps=1e-3)}, {"model": o.Convolved},
            reason="eps=1e-05 in the first, eps=0.001"),
    Planted("batch norm momentum", "evaluation", 1, "norm", {"model": lambda: o.Convolved(0.3)},
            {"model": o.Convolved, "after": o.evaluated}, reason="momentum=0.1 in the first, momentum=0.3"),
    Planted("not tied", "gradient", 1, "embed.weight", {"model": lambda: o.Tied(False)}, {"model": o.Tied},
            reason="`embed.weight` shared with: again.weight in the first"),
    Planted("sum of four", "gradient", 1, "head.bias", {"gradients": o.not_averaged}, reason="4 times"),
    Planted("clipped values", "gradient", 1, "head.bias", {"gradients": o.clipped_values}, reason="clip_value"),
    Planted("decay of biases", "optimizer", 1, "embed.bias", {"optimizer": o.bias_decay(0.1)},
            {"optimizer": o.bias_decay(0.0)}, reason="weight_decay: 0 in the first, 0.1"),
    Planted("AdamW for Adam", "optimizer", 1, "embed.weight", {"optimizer": lambda p: torch.optim.AdamW(p, **ADAM)},
            {"optimizer": lambda p: torch.optim.Adam(p, **ADAM)}, reason="Adam in the first, AdamW"),
    Planted("nesterov", "update", 1, "embed.weight",
            {"optimizer": lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9, nesterov=True)}, reason="nesterov"),
    Planted("late warm-up", "update", 1, "embed.weight", o.warm_up(1), o.warm_up(0), reason="lr: 0.01"),
    Planted("schedule too early", "update", 3, "embed.weight", o.stepped(2), o.stepped(3), reason="lr from step 3 on"),
    Planted("rate of one group", "update", 1, "head.weight", {"optimizer": o.head_rate(0.01)},
            {"optimizer": o.head_rate(0.1)}, reason="group 1 lr: 0.1 in the first, 0.01"),
    Planted("rows turned", "data", 1, "", {"data": o.turned_rows}, reason="another order"),
    Planted("seed of the loader", "data", 1, "embed", {"data": o.shuffled(2)}, {"data": o.shuffled(1)},
            reason="another order"),
    Planted("other statistics", "data", 1, "embed", {"data": o.standardised},
            reason="multiplied by 0.5 and shifted by -0.25"),
    Planted("weights of classes", "loss", 1, "", {"loss": lambda x, y: F.cross_entropy(x, y, weight=WEIGHTED)},
            reason="loss weight"),
    Planted("left in evaluation", "forward", 3, "norm", {"after": o.left_in_evaluation, "steps": 4},
            {"model": o.Convolved, "after": o.evaluated, "steps": 4}, reason="the second run trains in evaluation"),
    Planted("embedding of padding", "gradient", 1, "embed.weight", {"model": lambda: o.Looked(None)},
            {"model": o.Looked}, reason="padding_idx=0 in the first, – in the second"),
    Planted("delta of a loss", "loss", 1, "", {"loss": o.huber(0.5)}, {"loss": o.huber(1.0)},
            reason="loss delta: 1 in the first, 0.5"),
    Planted("weights of positives", "loss", 1, "", {"loss": o.positives(WEIGHTED)}, {"loss": o.positives(None)},
            reason="loss pos_weight: – in the first, 1, 2, 3 in the second"),
    Planted("a label left out", "loss", 1, "", {"loss": lambda x, y: F.cross_entropy(x, y, ignore_index=IGNORING)},
            reason="loss ignore_index: -100 in the first, 0"),
)  # fmt: skip


@pytest.mark.parametrize("planted", PLANTED, ids=lambda planted: planted.name.replace(" ", "-"))
def test_what_was_planted_is_named(planted: Planted, record: Record) -> None:
    found = compare(record(**planted.first), record(**planted.first | planted.second))
    assert found.verdict.kind == planted.kind, str(found)
    assert found.first_difference is not None
    assert (found.first_difference.step, found.first_difference.name) == (planted.step, planted.place), str(found)
    assert any(planted.reason in reason for reason in found.reasons), found.reasons


def test_a_setting_that_had_no_effect_is_told(record: Record) -> None:
    found = compare(record(model=o.Convolved), record(model=lambda: o.Convolved(0.3)))
    assert found.verdict.kind == "equal"
    assert found.verdict.sentence.endswith("what is set differently had no effect on it")
