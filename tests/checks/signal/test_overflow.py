from stetho.checks.signal.overflow import overflow
from stetho.testing import make_window

EXP = {
    "step": 5, "trigger": "loss", "phase": "forward", "operation": "exp", "expression": "exp(104.2)", "growth": True,
    "line": "net.py:3", "layer": "head", "result": "inf", "index": [1], "faithful": True,
}  # fmt: skip


def test_finds_an_operation_whose_inputs_grew_too_large() -> None:
    (finding,) = overflow(make_window(probes={"autopsy": {"faults": [EXP]}}))
    assert (finding.severity, finding.where.layer, finding.where.line) == ("error", "head", 3)
    assert "exp(104.2) = inf" in finding.title
    assert "divergence" in finding.explains


def test_stays_quiet_on_a_plain_logarithm_of_zero() -> None:
    assert overflow(make_window(probes={"autopsy": {"faults": [EXP | {"growth": False}]}})) is None


def test_stays_quiet_on_a_run_without_autopsy() -> None:
    assert overflow(make_window()) is None
