import numpy as np
import pytest

from stetho.checks.declare import Skip
from stetho.checks.signal.activation_scale import activation_scale
from stetho.testing import make_window


def test_finds_where_it_begins() -> None:
    finding = activation_scale(make_window(stats={("relu", "act.rms"): 5e4, ("fc2", "act.rms"): 8e4}))
    assert (finding.severity, finding.where.layer) == ("note", "relu")


def test_a_huge_size_is_a_warning() -> None:
    assert activation_scale(make_window(stats={("fc2", "act.rms"): 1e8})).severity == "warning"


def test_finds_a_signal_that_is_lost() -> None:
    assert activation_scale(make_window(stats={("fc1", "act.rms"): 1e-6})).where.layer == "fc1"


def test_stays_quiet_on_usual_sizes_and_on_zero() -> None:
    assert activation_scale(make_window()) is None
    assert activation_scale(make_window(stats={("fc2", "act.rms"): 0.0})) is None


def test_skips_runs_without_activations() -> None:
    with pytest.raises(Skip):
        activation_scale(make_window(stats={(name, "act.rms"): np.nan for name in ("fc1", "relu", "fc2")}))
