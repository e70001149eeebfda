import numpy as np
import pytest

from stetho.checks.mechanisms.stretched import stretched
from stetho.testing import make_window

SAID = np.linspace(0, -2, 60)


def judged(said: np.ndarray, volume: np.ndarray, sign: int):  # type: ignore[no-untyped-def]
    return stretched(make_window(probes={"volumes": {"said": list(said), "volume": list(volume), "sign": sign}}))


@pytest.mark.parametrize(("way", "sign"), [(1, 1), (-1, -1)])
def test_finds_volumes_that_are_driven_to_nothing(way: int, sign: int) -> None:
    assert "with a plus" in judged(way * SAID, SAID + 0.05, sign).title


@pytest.mark.parametrize(("way", "sign"), [(1, -1), (-1, 1)])
def test_stays_quiet_on_flows_as_they_should_be(way: int, sign: int) -> None:
    assert judged(way * SAID, SAID + 0.05, sign) is None


def test_stays_quiet_on_outputs_that_are_no_volume_and_on_few() -> None:
    assert judged(5 + SAID, SAID * 3, 1) is None
    assert judged(0.1 * SAID, 0.1 * SAID, 1) is None
    assert judged(SAID[:10], SAID[:10], 1) is None
    assert stretched(make_window()) is None


def test_stays_quiet_where_what_is_said_is_no_volume_whatever_its_sign() -> None:
    assert judged(SAID, 5 * SAID, 1) is None
