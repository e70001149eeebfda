"""How an explanation is declared."""

from re import Match

from stetho.explaining.declare import explains
from stetho.explaining.scene import Explanation, Scene


def test_the_first_pattern_that_is_found_is_handed_over() -> None:
    @explains("demo", r"size (\d+)", r"length (\d+)")
    def demo(match: Match[str], _scene: Scene) -> Explanation:
        """`length 4`."""
        return Explanation(match[1])

    assert (demo.name, demo.example) == ("demo", "`length 4`.")
    found = demo.explain(Scene("E", "a length 4 is wrong"))
    assert found is not None
    assert found.title == "4"
    assert demo.explain(Scene("E", "nothing")) is None
