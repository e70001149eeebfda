"""When a program has made enough steps."""

from stetho.capture.limit import STEPS_FOR_EACH, Limit
from stetho.config import Options


def test_without_a_wish_there_is_no_limit() -> None:
    assert not Limit(Options()).is_reached(done=1_000_000, optimizers=1)


def test_so_many_steps_as_were_asked_for() -> None:
    limit = Limit(Options(steps=3))
    assert [limit.is_reached(done, optimizers=1) for done in (2, 3)] == [False, True]


def test_a_dry_run_waits_for_every_optimizer() -> None:
    limit = Limit(Options(dry_run=True))
    limit.stepped(0)
    limit.stepped(0)
    assert not limit.is_reached(done=2, optimizers=2)
    limit.stepped(1)
    assert limit.is_reached(done=3, optimizers=2)


def test_a_dry_run_does_not_wait_for_ever_for_one_that_never_steps() -> None:
    limit = Limit(Options(dry_run=True))
    limit.stepped(0)
    assert limit.is_reached(done=2 * STEPS_FOR_EACH, optimizers=2)


def test_a_step_without_any_optimizer_ends_a_dry_run() -> None:
    assert Limit(Options(dry_run=True)).is_reached(done=1, optimizers=0)
