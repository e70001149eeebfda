import numpy as np
import pytest

from stetho.checks.declare import Skip
from stetho.checks.optimisation.loss_scale_collapse import loss_scale_collapse
from stetho.testing import make_window


def test_finds_a_scale_that_falls_for_ever() -> None:
    window = make_window(step={"loss_scale": 65536 * 0.5 ** np.arange(60), "skipped": 1})
    finding = loss_scale_collapse(window)
    assert finding.severity == "error"
    assert "100% of the later steps" in finding.title


def test_names_the_operation_that_overflows_where_it_is_known() -> None:
    fault = {"trigger": "skipped", "phase": "backward", "expression": "1 / 0", "result": "inf", "index": [3], "step": 8}
    fault |= {"line": "train.py:12", "why": "a division by 0", "prevention": "add a small constant"}
    probes = {"autopsy": {"faults": [{"trigger": "hidden", "phase": "forward", "line": "train.py:3"}, fault]}}
    steps = {"loss_scale": 65536 * 0.5 ** np.arange(60), "skipped": 1}
    finding = loss_scale_collapse(make_window(step=steps, probes=probes))
    assert "1 / 0 = inf at [3]" in finding.title
    assert (finding.where.file, finding.where.line) == ("train.py", 12)
    assert finding.try_next == "Add a small constant."


def test_stays_quiet_when_the_scale_finds_its_size() -> None:
    scale = np.maximum(65536 * 0.5 ** np.arange(60), 1024)
    window = make_window(step={"loss_scale": scale, "skipped": (np.arange(60) < 6).astype(float)})
    assert loss_scale_collapse(window) is None


def test_skips_runs_without_a_scaler() -> None:
    with pytest.raises(Skip):
        loss_scale_collapse(make_window(step={"loss_scale": np.nan}))
