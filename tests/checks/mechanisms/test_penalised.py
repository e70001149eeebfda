import numpy as np
import pytest

from stetho.checks.declare import Skip
from stetho.checks.mechanisms.penalised import penalised
from stetho.checks.window import Window
from stetho.testing import make_window


def shrinking(last: float) -> Window:
    return make_window(stats={(f"{name}.weight", "param.rms"): np.geomspace(0.3, last, 60) for name in ("fc1", "fc2")})


def test_finds_weights_that_the_loss_pulls_to_zero() -> None:
    found = penalised(shrinking(0.003))
    assert "shrink to 1.0% of their size without weight decay" in found.title
    assert "penalty" in found.try_next


def test_stays_quiet_on_weights_that_shrink_a_little_or_grow() -> None:
    assert penalised(shrinking(0.1)) is None
    assert penalised(shrinking(0.6)) is None


def test_skips_runs_in_which_weights_were_hardly_measured() -> None:
    with pytest.raises(Skip, match="no weight decay"):
        penalised(make_window(steps=5))
