"""Values kept by identity, whatever the objects of a program say of themselves."""

from stetho.capture.by_identity import ByIdentity


class Metric:
    """Hashes by a state that changes, and cannot be hashed before it is there."""

    state: int

    def __hash__(self) -> int:
        return hash(self.state)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Metric)


def test_an_object_that_cannot_be_hashed_yet_is_found_again_when_its_hash_has_changed() -> None:
    metric, lines = Metric(), ByIdentity[str]()
    lines[metric] = "train.py:3"
    metric.state = 1
    assert metric in lines
    assert lines.get(metric) == "train.py:3"


def test_two_objects_that_call_themselves_equal_are_two() -> None:
    one, other, lines = Metric(), Metric(), ByIdentity[str]()
    lines[one] = "train.py:3"
    assert lines.get(other) is None


def test_a_value_goes_with_its_object_and_no_successor_inherits_it() -> None:
    lines = ByIdentity[str]()
    for _ in range(50):
        metric = Metric()
        assert metric not in lines
        lines[metric] = "train.py:3"
        del metric
    assert len(lines) == 0
