import pytest

from stetho.checks.data.preprocessing_differs import preprocessing_differs
from stetho.checks.mechanisms.unknown import unknown_tokens
from stetho.testing import make_window

ROW = {"dtype": "int64", "shape": [[64, 12]] * 60, "zeros": 4, "label_counts": [[32, 32]] * 60, "counted": 64}


def window(train=None, evaluation=None):
    batch = ROW | {"correct": 60} | (train or {})
    return make_window(batch=batch, eval_batch=ROW | {"correct": 40, "zeros": 600} | (evaluation or {}))


def test_finds_tokens_that_only_the_training_knows():
    found = preprocessing_differs(window())
    assert found.severity == "error"
    assert "78% of the tokens in evaluation and 0.5% in training" in found.title


@pytest.mark.parametrize(
    ("train", "evaluation"),
    [
        pytest.param({"zeros": 300}, {}, id="padding in both"),
        pytest.param({}, {"zeros": 100}, id="a few"),
        pytest.param({}, {"correct": 63}, id="ends well"),
        pytest.param({"dtype": "uint8"}, {"dtype": "uint8"}, id="pictures"),
        pytest.param({}, {"shape": [[1, 1]] * 60, "zeros": 1}, id="hardly any tokens"),
    ],
)
def test_stays_quiet_on_what_is_no_other_way_of_cutting(train, evaluation):
    assert unknown_tokens(window(train, evaluation), 0) is None
