"""The line of `--verbose`: what is known of a step, and nothing about what is not."""

from stetho.views.step_line import step_line

ROW = {
    "step": 12,
    "epoch": 2,
    "loss": 0.123456789,
    "accuracy": None,
    "lr": 0.001,
    "grad_norm": float("nan"),
    "batch_size": 32,
    "seconds": 0.25,
    "data_seconds": 0.01,
    "forward_seconds": 0.1,
    "backward_seconds": 0.12,
    "optimizer_seconds": 0.0012,
    "ours_seconds": 0.018,
    "tier": "full",
    "order": "zero_grad forward backward step",
}


def test_leaves_out_what_was_not_measured() -> None:
    line = step_line(ROW, detailed=False)
    assert line == "step 12 epoch 2 loss 0.123457 lr 0.001 grad_norm nan batch_size 32 0.25 s"


def test_the_detailed_line_tells_times_tier_and_order() -> None:
    line = step_line(ROW, detailed=True)
    assert line.endswith(
        "(data 0.01, forward 0.1, backward 0.12, optimizer 0.0012, ours 0.018) full; zero_grad forward backward step"
    )
