import pytest

from stetho.checks.mechanisms.pieces import in_pieces
from stetho.checks.run.facts import Layer
from stetho.testing import make_window


def window(*losses: tuple[float, float], blank: int = 29, **facts: object):  # type: ignore[no-untyped-def]
    gru = Layer("gru", "GRU", called="train.py:9", begun=30, blank=blank)
    without, with_state = zip(*losses, strict=True)
    stream = {"line": "train.py:40", "without_state": list(without), "with_state": list(with_state)}
    return make_window(layers=[gru], probes={"calls": {"stream": stream}}, **facts)


def test_finds_a_state_that_would_have_helped() -> None:
    finding = in_pieces(window((0.7, 0.69), (0.6, 0.2), (0.7, 0.2), (0.65, 0.25)), 0.3)
    assert (finding.where.line, finding.where.layer) == (40, "gru")
    assert "0.217 and not 0.65" in finding.title


@pytest.mark.parametrize("losses", [(0.7, 0.6), (0.7, 0.8), (-3.0, -5.0), (0.0, 0.0)])
def test_stays_quiet_where_it_hardly_helps(losses: tuple[float, float]) -> None:
    assert in_pieces(window(losses, losses, losses), 0.3) is None


def test_stays_quiet_on_states_that_are_handed_on() -> None:
    assert in_pieces(window((0.7, 0.1), (0.7, 0.1), blank=2), 0.3) is None


def test_one_look_is_too_little() -> None:
    assert in_pieces(window((0.7, 0.1)), 0.3) is None
    assert in_pieces(make_window(), 0.3) is None
