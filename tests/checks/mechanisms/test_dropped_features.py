import pytest

from stetho.checks.model.misplaced_dropout import misplaced_dropout
from stetho.checks.run.facts import Edge, Loss
from stetho.testing import make_window


@pytest.mark.parametrize(
    ("given", "is_found"),
    [
        ({}, True),
        ({"rate": 0.3}, False),
        ({"right": 95}, False),
        ({"shape": (32, 300)}, False),
        ({"shape": (32, 8, 8)}, False),
        ({"target": "float32[32, 8]"}, False),
        ({"source": "fc1"}, False),
    ],
)
def test_finds_dropout_on_the_few_features_of_a_table(given, is_found) -> None:
    answers = {"label_counts": [[50, 50]] * 60, "correct": given.get("right", 70), "counted": 100}
    case = {"rate": 0.5, "shape": (32, 8), "target": "int64[32]", "source": "(input)"} | given
    window = make_window(
        layers={"drop": f"Dropout(p={case['rate']}, inplace=False)", "fc1": "Linear(8, 4)"},
        edges=[Edge(case["source"], "drop"), Edge("drop", "fc1")],
        batch={"shape": [case["shape"]] * 60} | answers,
        eval_batch={"label_counts": None},
        losses=[Loss("cross_entropy", "train.py:9", target=case["target"])],
    )
    assert (misplaced_dropout(window) is not None) is is_found
