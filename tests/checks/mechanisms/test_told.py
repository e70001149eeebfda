from stetho.checks.mechanisms.told import told_targets
from stetho.checks.model.future_visible import future_visible
from stetho.checks.run.facts import Loss
from stetho.testing import make_window


def window(settings=None, **calls):
    told = {"target_same_along": 1, "target_same_of": 1}
    loss = Loss("cross_entropy", line="train.py:31", settings=told if settings is None else settings)
    return make_window(losses=[loss], probes={"calls": calls})


def test_finds_a_decoder_that_is_given_its_targets():
    found = future_visible(window(at_future_of_1=0.6))
    assert found.severity == "error"
    assert "input 2, token for token" in found.title
    assert found.where.line == 31


def test_stays_quiet_where_targets_are_shifted_inside():
    assert told_targets(window(at_future_of_1=0.0)) is None
    assert told_targets(window()) is None


def test_stays_quiet_on_other_targets_and_on_drawn_codes():
    assert told_targets(window(settings={}, at_future_of_1=0.6)) is None
    assert told_targets(window(at_future_of_1=0.6, random=0.4)) is None
