import pytest

from stetho.checks.declare import Skip
from stetho.checks.loss.padding_in_loss import padding_in_loss
from stetho.checks.run.facts import Loss
from stetho.testing import make_window

TOKENS = {"counted": 320, "label_counts": [160, 60, 50, 50]}


def loss(**settings: object) -> Loss:
    weight = settings.pop("weight", None)
    return Loss("cross_entropy", "train.py:31", ignore_index=-100, weight=weight, settings=settings)  # type: ignore[arg-type]


def test_finds_padded_positions_that_count() -> None:
    finding = padding_in_loss(make_window(losses=[loss(padding_share=0.4, padding_target=0)]))
    assert "40%" in finding.title


def test_finds_the_padding_of_an_embedding_among_the_labels() -> None:
    layers = {"embed": "Embedding(4, 8, padding_idx=0)", "out": "Linear(8, 4)"}
    assert padding_in_loss(make_window(losses=[loss()], layers=layers, batch=TOKENS)).evidence["share"] == 0.5


def test_stays_quiet_when_padding_is_ignored_or_has_no_weight() -> None:
    assert padding_in_loss(make_window(losses=[loss(padding_share=0.0)])) is None
    assert padding_in_loss(make_window(losses=[loss(padding_share=0.4, padding_target=0, weight=(0.0, 1.0))])) is None


def test_stays_quiet_without_padding_and_on_one_label_a_sample() -> None:
    assert padding_in_loss(make_window()) is None
    layers = {"embed": "Embedding(4, 8, padding_idx=0)", "out": "Linear(8, 4)"}
    assert padding_in_loss(make_window(losses=[loss()], layers=layers)) is None


def test_stays_quiet_on_a_loss_that_the_program_masks() -> None:
    masked = Loss("cross_entropy", reduction="none", settings={"padding_share": 0.4})
    assert padding_in_loss(make_window(losses=[masked])) is None


def test_skips_other_losses() -> None:
    with pytest.raises(Skip):
        padding_in_loss(make_window(losses=[Loss("kl_div")]))


def test_finds_padded_numbers_that_count() -> None:
    for call in ("mse_loss", "hand_written_difference"):
        padded = Loss(call, "train.py:31", reduction="mean", settings={"padding_share": 0.7})
        assert "70%" in padding_in_loss(make_window(losses=[padded])).title
    assert padding_in_loss(make_window(losses=[Loss("mse_loss", settings={})])) is None


def test_points_at_the_call_of_a_difference_and_not_at_where_its_module_is_made() -> None:
    loss = Loss("mse_loss", "train.py:9", constructed="train.py:3", settings={"padding_share": 0.4})
    assert padding_in_loss(make_window(losses=[loss])).where.line == 9
