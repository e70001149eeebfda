import pytest

from stetho.checks.declare import Skip
from stetho.checks.loss.class_weight_zero import class_weight_zero
from stetho.checks.run.facts import Loss
from stetho.testing import make_window


def weighted(*weights: float) -> list[Loss]:
    return [Loss("cross_entropy", "train.py:31", weight=weights)]


def test_finds_a_class_without_weight() -> None:
    finding = class_weight_zero(make_window(losses=weighted(1, 1, 0, 1)))
    assert "class 2" in finding.title
    assert finding.severity == "warning"


def test_is_a_note_where_a_sample_has_many_labels() -> None:
    assert class_weight_zero(make_window(losses=weighted(0, 1, 1, 1), batch={"counted": 320})).severity == "note"


def test_stays_quiet_on_usual_weights_and_on_absent_classes() -> None:
    assert class_weight_zero(make_window(losses=weighted(1, 2, 0.5, 1))) is None
    assert class_weight_zero(make_window(losses=weighted(1, 1, 0, 1), batch={"label_counts": [11, 11, 0, 10]})) is None


def test_stays_quiet_when_labels_were_not_counted() -> None:
    assert class_weight_zero(make_window(losses=weighted(1, 0), batch={"label_counts": None})) is None


def test_skips_losses_without_weights() -> None:
    with pytest.raises(Skip):
        class_weight_zero(make_window())


@pytest.mark.parametrize(("weights", "is_found"), [([0.0], True), ([2.0, 0.0], True), ([0.3], False)])
def test_finds_positive_labels_without_weight(weights: list[float], is_found: bool) -> None:
    call = "binary_cross_entropy_with_logits"
    loss = Loss(call, "train.py:31", weight=None, target_high=1.0, settings={"pos_weight": weights})
    assert (class_weight_zero(make_window(losses=[loss])) is not None) == is_found


def test_finds_a_class_that_is_ignored_alone_or_between_others() -> None:
    alone = Loss("cross_entropy", "train.py:31", input="float32[32, 4]", ignore_index=0)
    settings = {"ignored_inside": 0.9, "ignored_inside_share": 0.3, "ignored_overlap": 0.5}
    between = Loss("cross_entropy", "train.py:31", input="float32[30, 4, 14]", ignore_index=0, settings=settings)
    for loss in (alone, between):
        finding = class_weight_zero(make_window(losses=[loss], batch={"counted": 24}))
        assert "class 0 is left out of the loss" in finding.title
        assert finding.severity == "warning"


def test_finds_a_class_whose_losses_are_multiplied_by_nothing() -> None:
    found = class_weight_zero(make_window(losses=[], probes={"class_weights": {"weights": [1.0, 0.0, 2.0, None]}}))
    assert "class 1 has weight 0" in found.title
    assert class_weight_zero(make_window(probes={"class_weights": {"weights": [1.0, 2.0, 2.0, None]}})) is None


@pytest.mark.parametrize(
    ("shape", "correct", "severity"),
    [([32, 1, 24, 24], 60, "error"), ([32, 1, 24, 24], 250, "note"), ([32, 24], 60, "note")],
)
def test_is_an_error_for_images_of_a_class_that_is_never_said(shape: list[int], correct: int, severity: str) -> None:
    batch = {"counted": 320, "label_counts": [250, 30, 20, 20], "correct": correct, "shape": shape}
    finding = class_weight_zero(make_window(losses=weighted(0, 1, 1, 1), batch=batch))
    assert finding.severity == severity


def test_stays_quiet_on_one_answer_for_each_sample() -> None:
    loss = Loss("binary_cross_entropy_with_logits", input="float32[32]", target="float32[32]")
    with pytest.raises(Skip):
        class_weight_zero(make_window(losses=[loss]))
