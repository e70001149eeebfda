import numpy as np
import pytest

from stetho.checks.declare import Skip
from stetho.checks.loss.loss_terms_unbalanced import loss_terms_unbalanced
from stetho.testing import make_window

WHOLE = np.linspace(400, 100, 60)


def test_finds_a_term_that_is_not_learnt() -> None:
    finding = loss_terms_unbalanced(make_window(step={"loss": WHOLE}, batch={"loss": 1.4}))
    assert finding.severity == "warning"


def test_stays_quiet_on_a_term_that_is_learnt() -> None:
    assert loss_terms_unbalanced(make_window(step={"loss": WHOLE}, batch={"loss": np.linspace(1.4, 0.2, 60)})) is None


def test_stays_quiet_on_a_constant_factor_and_on_equal_values() -> None:
    assert loss_terms_unbalanced(make_window(step={"loss": WHOLE}, batch={"loss": WHOLE / 1000})) is None
    assert loss_terms_unbalanced(make_window(step={"loss": WHOLE}, batch={"loss": WHOLE})) is None


def test_skips_what_cannot_be_compared() -> None:
    with pytest.raises(Skip):
        loss_terms_unbalanced(make_window(batch={"loss": np.nan}))
    with pytest.raises(Skip):
        loss_terms_unbalanced(make_window(steps=4, batch={"loss": 1.0}))
