"""What a batch is like, in numbers."""

from math import isnan

import pytest
import torch
from torch.nn import functional

from stetho.capture.torch.feed.batch_facts import MOST_FEATURES, features, is_among_samples, kind_of_error, moments

PREDICTED = torch.tensor([[1.0], [2.0], [4.0]])
TARGET = torch.tensor([[1.5], [0.0], [5.0]])


@pytest.mark.parametrize(
    ("call", "loss"),
    [
        ("mse_loss", functional.mse_loss),
        ("hand_written_difference", functional.mse_loss),
        ("l1_loss", functional.l1_loss),
        ("hand_written_distance", functional.l1_loss),
    ],
)
def test_a_mean_of_differences_is_known_by_its_value(call, loss):
    assert kind_of_error(call, PREDICTED, TARGET, loss(PREDICTED, TARGET), []) == call
    assert kind_of_error(call, PREDICTED, TARGET, 2 * loss(PREDICTED, TARGET), []) is None


def test_a_loss_that_is_no_difference_is_of_no_kind():
    result = functional.mse_loss(PREDICTED, TARGET)
    assert kind_of_error("smooth_l1_loss", PREDICTED, TARGET, result, []) is None


def test_shapes_that_are_stretched_are_of_no_kind():
    flat = TARGET.flatten()
    result = (PREDICTED - flat).square().mean()
    assert kind_of_error("mse_loss", PREDICTED, flat, result, []) is None


def test_a_loss_that_is_not_yet_averaged_is_judged_by_what_is_trained_on():
    parts = functional.mse_loss(PREDICTED, TARGET, reduction="none")
    trained_on: list[object] = [7.0, parts.mean().item()]
    assert kind_of_error("mse_loss", PREDICTED, TARGET, parts, trained_on) == "mse_loss"
    assert kind_of_error("mse_loss", PREDICTED, TARGET, parts, trained_on[:1]) is None
    assert kind_of_error("mse_loss", PREDICTED, TARGET, parts, []) is None


@pytest.mark.parametrize(
    ("predicted", "target", "expected"),
    [
        (torch.zeros(4, 4), torch.tensor([2, 0, 3, 1]), True),
        (torch.zeros(4, 4), torch.tensor([2, 0, 3, 3]), False),
        (torch.zeros(4, 5), torch.arange(4), False),
        (torch.zeros(4, 4), torch.arange(4.0), False),
        (torch.zeros(4, 4), torch.arange(4)[:, None], False),
        (torch.zeros(1, 1), torch.arange(1), False),
    ],
    ids=["each place once", "one place twice", "other classes", "no whole numbers", "two axes", "one sample"],
)
def test_labels_are_places_in_the_batch_if_each_place_is_there_once(predicted, target, expected):
    assert is_among_samples(predicted, target) is expected


def test_moments_are_columns_with_a_prefix():
    assert moments(torch.tensor([0.0, 0.0, 2.0, 6.0]), "target_") == {
        "target_mean": 2.0,
        "target_std": pytest.approx(6**0.5),
        "target_min": 0.0,
        "target_max": 6.0,
        "target_nan": 0,
        "target_zeros": 2,
    }


def test_what_is_no_number_is_counted_and_left_out_of_the_mean():
    found = moments(torch.tensor([1.0, float("nan"), 3.0]), "")
    assert (found["nan"], found["mean"], found["max"]) == (1, 2.0, 3.0)
    assert not isnan(float(str(found["std"])))


def test_features_of_a_table_are_its_columns():
    found = features(torch.tensor([[1.0, 10.0], [3.0, 10.0]]))
    assert found == {"feature_mean": [2.0, 10.0], "feature_std": [1.0, 0.0]}


@pytest.mark.parametrize(
    ("shape", "axis"), [((5, 3), 1), ((2, 5, 3), 2), ((2, 3, 4, 4), 1), ((2, 3, 2, 4, 4), 1)], ids=str
)
def test_channels_stand_where_images_and_sequences_have_them(shape, axis):
    levels = torch.tensor([1.0, 2.0, 3.0]).reshape([3 if at == axis else 1 for at in range(len(shape))])
    assert features(levels.expand(shape)) == {"feature_mean": [1.0, 2.0, 3.0], "feature_std": [0.0, 0.0, 0.0]}


@pytest.mark.parametrize(
    "inputs",
    [torch.zeros(4, 3, dtype=torch.int64), torch.zeros(4), torch.zeros(2, MOST_FEATURES + 1)],
    ids=["tokens", "one axis", "very many"],
)
def test_where_there_are_no_features_nothing_is_said(inputs):
    assert features(inputs) == {}
