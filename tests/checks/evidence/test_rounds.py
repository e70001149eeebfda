import pytest

from stetho.checks.evidence.rounds import broken_off
from stetho.testing import make_window


@pytest.mark.parametrize(("planned", "found"), [(400, ("train.py:12", 400)), (60, None), (20, None)])
def test_a_loop_is_broken_off_when_there_were_fewer_steps_than_rounds(
    planned: int, found: tuple[str, int] | None
) -> None:
    given = {"train.py:9": {"lr": "train.py:2", f"rounds={planned}": "train.py:12"}}
    assert broken_off(make_window(steps=60, lines={"step": ["train.py:9"]}, given=given)) == found


def test_steps_that_nobody_looked_at_count() -> None:
    given = {"train.py:9": {"rounds=400": "train.py:12"}}
    window = make_window(steps=60, lines={"step": ["train.py:9"]}, given=given, info={"steps": 400})
    assert broken_off(window) is None
