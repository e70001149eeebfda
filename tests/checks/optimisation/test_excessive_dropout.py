import pytest

from stetho.checks.declare import Skip
from stetho.checks.optimisation.excessive_dropout import excessive_dropout
from stetho.checks.run.facts import Edge
from stetho.testing import make_window

LINEAR = "Linear(in_features=8, out_features=8, bias=True)"


def layers(rate: float) -> dict[str, str]:
    return {"fc1": LINEAR, "drop": f"Dropout(p={rate}, inplace=False)", "fc2": LINEAR}


def test_finds_dropout_that_leaves_nothing() -> None:
    finding = excessive_dropout(make_window(layers=layers(0.95)))
    assert (finding.severity, finding.where.layer) == ("error", "drop")
    assert "drops 95%" in finding.title


def test_much_dropout_is_a_warning() -> None:
    assert excessive_dropout(make_window(layers=layers(0.8))).severity == "warning"


def test_estimates_the_rate_of_a_function() -> None:
    stats = {("fc2", "act.std", "train"): 4.0, ("fc2", "act.std", "eval"): 1.0, ("fc1", "act_grad.zeros"): 1000}
    window = make_window(
        layers={"fc1": LINEAR, "fc2": LINEAR}, edges=[Edge("fc1", "fc2", ("Relu", "Mul"))], stats=stats
    )
    assert "about 94%" in excessive_dropout(window).title


def test_skips_gates() -> None:
    stats = {("fc2", "act.std", "train"): 4.0, ("fc2", "act.std", "eval"): 1.0}
    window = make_window(layers={"fc1": LINEAR, "fc2": LINEAR}, edges=[Edge("fc1", "fc2", ("Mul",))], stats=stats)
    with pytest.raises(Skip):
        excessive_dropout(window)


def test_stays_quiet_on_usual_dropout() -> None:
    assert excessive_dropout(make_window(layers=layers(0.5))) is None


def test_skips_models_without_dropout() -> None:
    with pytest.raises(Skip, match="no dropout"):
        excessive_dropout(make_window())


def test_points_at_where_the_rate_is_written() -> None:
    line = make_window(layers=layers(0.95)).layer("drop").line
    finding = excessive_dropout(make_window(layers=layers(0.95), given={line: {"p=0.95": "net.py:99"}}))
    assert finding.where.line == 99
