"""Names under which memory grows, and the lines that add to them."""

from pathlib import Path

from stetho.profiling.growth import Held, Name, adding_lines, growth_of, keepers

PROGRAM = """
losses = []
total = 0
class Trainer:
    def fit(self):
        losses.append(1)
        total = 0
        total += 1
        self.seen[1] = 2
        self.best = max(self.best, 1)
        other.append(3)
"""


def lines(folder: Path, name: str) -> list[str]:
    file = folder / "train.py"
    file.write_text(PROGRAM)
    return [line.rpartition(":")[2] for line in adding_lines(Name(name, "", str(file)))]


def test_finds_the_line_that_adds(tmp_path: Path) -> None:
    assert lines(tmp_path, "losses") == ["6"]
    assert lines(tmp_path, "total") == ["8"]
    assert lines(tmp_path, "self.seen") == ["9"]
    assert lines(tmp_path, "self.best") == ["10"]


def test_a_file_that_cannot_be_read_has_no_lines() -> None:
    assert list(adding_lines(Name("losses", "", "<stdin>"))) == []


def test_what_stays_the_same_or_falls_is_no_keeper() -> None:
    same, falling, late = (Name(name, "", "train.py") for name in ("same", "falling", "late"))
    series = [{same: Held(1, 8, 3), falling: Held(n, 8 * n, 0)} for n in (3, 1, 2)]
    series[-1][late] = Held(1, 8, 0)
    assert keepers(series) == []


def test_a_graph_that_grows_is_kept_though_the_tensor_is_one() -> None:
    name = Name("total", "main", "train.py")
    (found,) = keepers([{name: Held(1, 4, nodes)} for nodes in (10, 20, 30, 40)])
    assert (found.name, found.function, found.nodes_per_step, found.bytes_per_step) == ("total", "main", 10.0, 0.0)


def test_two_looks_are_not_enough_to_call_it_growth() -> None:
    name = Name("losses", "", "train.py")
    assert keepers([{name: Held(n, n, n)} for n in (1, 2)]) == []


def test_a_process_that_takes_memory_once_does_not_grow() -> None:
    once = [10**8] * 10 + [2 * 10**8] * 10
    assert growth_of(list(enumerate(once))) == 0
    assert growth_of(list(enumerate([1, 2, 3]))) == 0
    assert growth_of([(step, step * 1000) for step in range(40)]) == 0
    assert growth_of([(2 * look, look * 10**6) for look in range(40)]) == 10**6 / 2
