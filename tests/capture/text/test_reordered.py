"""Arrays that go together and are put in another order one by one."""

from pathlib import Path

import pytest

from stetho.capture.text.reordered import reordered_at, shuffled_apart_at

USE = """
for rows in parts:
    loss = criterion(model(x[rows]), y[rows])
"""


@pytest.fixture
def lost(tmp_path):
    def read(program, use=USE):
        file = tmp_path / f"{abs(hash(program + use))}.py"
        file.write_text(program + use)
        found = reordered_at(str(file))
        return int(found.rpartition(":")[2]) if found is not None else None

    return read


@pytest.mark.parametrize(
    "program",
    [
        "a = 1\nx = x[randperm(len(x))]\n",
        "order = np.argsort(t)\ny = torch.tensor(y[order])\n",
        "order = sorted(range(9), key=len)\nx = [x[i] for i in order]\n",
        "x, y = load()\nrng.shuffle(y)\n",
        "x, y = load()\ny = np.roll(y, 1)\n",
        "x = x[randperm(9)]\ny = y[randperm(9)]\n",
        "order = randperm(9)\nx_all = x_all[order[:5]]\nx, y = x_all.float(), y_all.float()\n",
    ],
)
def test_finds_the_line_that_reorders_one_of_them(lost, program):
    assert lost(program) == 2


@pytest.mark.parametrize(
    "joined", ["TensorDataset(x, y)", "TensorDataset(torch.tensor(x), torch.tensor(y))", "[a[:5] for a in (x, y)]"]
)
def test_finds_it_for_what_is_put_into_one_data_set(lost, joined):
    assert lost(f"order = randperm(9)\ny = y[order]\ndata = {joined}\n", "") == 2
    assert lost(f"order = randperm(9)\nx, y = x[order], y[order]\ndata = {joined}\n", "") is None


@pytest.mark.parametrize(
    "program",
    [
        "x, y = load()\n",
        "order = randperm(9)\nx, y = x[order], y[order]\n",
        "order = randperm(9)\nx = x[order]\ny = y[order].long()\n",
        "order = randperm(9)\nx = x[order]\ny = truth[x]\n",
        "x, y = shuffle(x, y)\n",
        "data = load()[randperm(9)]\nx, y = data[:, 1:], data[:, 0]\n",
        "x, y = load()\nz = z[randperm(9)]\n",
    ],
)
def test_says_nothing_where_all_are_in_one_order(lost, program):
    assert lost(program) is None


@pytest.mark.parametrize(
    "program",
    [
        "good = contact > 0.1\nx = x[good]\n",
        "z = 1\nx = x[np.isfinite(x) & (x < 9)]\n",
        "x = x[t > 3]\ny = y[: len(x)]\n",
        "x = x[t > 3]\ny = torch.tensor(y[: x.shape[0]])\n",
    ],
)
def test_finds_rows_that_are_dropped_from_one_of_them_or_cut_to_the_length_of_the_other(lost, program):
    assert lost(program) == 2


@pytest.mark.parametrize(
    "program",
    [
        "good = contact > 0.1\nx, y = x[good], y[good]\n",
        "x = x[part == 0]\ny = y[part == 0]\n",
        "n = 9\nx, y = x[:n], y[:n]\n",
    ],
)
def test_says_nothing_where_the_same_rows_are_kept_of_all(lost, program):
    assert lost(program) is None


def test_says_nothing_of_files_that_are_not_there():
    assert reordered_at("gone.py") is None


def test_arrays_that_are_shuffled_by_a_call_each_in_one_statement_are_apart(tmp_path):
    file = tmp_path / "train.py"
    program = "x, y = shuffle(x{seed}), shuffle(y{seed})\nfor rows in parts:\n    loss = mse(model(x[rows]), y[rows])\n"
    file.write_text(program.format(seed=""))
    assert reordered_at(str(file)) == f"{file}:1"
    seeded = tmp_path / "seeded.py"
    seeded.write_text(program.format(seed=", random_state=0"))
    assert reordered_at(str(seeded)) is None


@pytest.mark.parametrize(
    ("given", "line"),
    [("x, y", 3), ("images, labels", None), ("x.float(), y.long()", 3), ("x, other", None), ("x, order", None)],
)
def test_inputs_and_labels_that_a_function_gives_back_go_together(lost, given, line):
    program = f"def load():\n    order = randperm(9)\n    x = x_all[order]\n    return {given}\n"
    assert lost(program, "") == line
    assert lost(program.replace("return", "y = y_all[order]\n    return"), "") is None


BELOW = """
for start in range(0, 9, 3):
    a = torch.from_numpy(x[start:start + 3])
    b = torch.from_numpy(y[start:start + 3])
"""


def test_rows_taken_in_two_statements_below_each_other_go_together(lost):
    assert lost("x, y = load()\nrng.shuffle(x)\nrng.shuffle(y)\n", BELOW) == 3
    assert lost("x, y = load()\norder = randperm(9)\nx, y = x[order], y[order]\n", BELOW) is None


@pytest.mark.parametrize(
    "use",
    ["\na = x[0]\nb = y[0]\n", "\na = x['k']\nb = y['k']\n", "\na = x[i]\n\nb = y[i]\n", "\na = x[i]\nb = y[j]\n"],
)
def test_a_fixed_place_another_index_and_distance_say_nothing(lost, use):
    assert lost("x, y = load()\nrng.shuffle(x)\n", use) is None


@pytest.mark.parametrize(
    ("shuffles", "line"),
    [
        ("x = x[torch.randperm(n)]\n    y = y[torch.randperm(n)]", 3),
        ("rng.shuffle(x)\n    rng.shuffle(y)", 3),
        ("x, y = x[torch.randperm(n)], y[torch.randperm(n)]", 2),
        ("x = x[order]\n    y = y[order]", None),
        ("rng.shuffle(x)\n    rng.seed(0)\n    rng.shuffle(y)", None),
        ("x = x[torch.randperm(n)]\n    z = z[torch.randperm(n)]", None),
    ],
)
def test_arrays_that_are_shuffled_each_by_itself(tmp_path: Path, shuffles: str, line: int | None) -> None:
    program = tmp_path / "train.py"
    program.write_text(
        f"for epoch in range(9):\n    {shuffles}\n"
        "    for k in range(0, n, 8):\n        loss = mse(model(x[k:k + 8]), y[k:k + 8])\n"
    )
    assert shuffled_apart_at(str(program)) == (f"{program}:{line}" if line else None)


def test_a_data_set_that_sorts_only_its_files(tmp_path: Path) -> None:
    program = tmp_path / "scans.py"
    program.write_text(
        "class Scans:\n    def __init__(self, root, table):\n        self.files = sorted(root.glob('*'))\n"
        "        self.labels = list(table)\n    def __getitem__(self, i):\n"
        "        return load(self.files[i]), self.labels[i]\n"
    )
    assert reordered_at(str(program)) == f"{program}:3"


KEPT = """
class Trainer:
    def batches(self):
        order = self.rng.permutation(len(self.images))
        self.images = self.images[order]
        for s in range(0, len(self.images), 32):
            yield torch.from_numpy(self.images[s:s + 32]), torch.from_numpy(self.counts[s:s + 32])
"""


def test_arrays_that_an_object_keeps_are_arrays_like_any_other(tmp_path):
    file = tmp_path / "kept.py"
    file.write_text(KEPT)
    assert reordered_at(str(file)) == f"{file}:5"
    both = tmp_path / "both.py"
    both.write_text(
        KEPT.replace("self.images[order]\n", "self.images[order]\n        self.counts = self.counts[order]\n")
    )
    assert reordered_at(str(both)) is None


IN_MAIN = """
def main():
    for rows in parts:
        loss = criterion(model(x[rows]), y[rows])
"""


def test_a_function_finds_the_arrays_of_the_program_as_they_were_left(lost) -> None:
    assert lost("y = rng.integers(6, size=9)\nx = draw(y)\nrng.shuffle(y)\n", IN_MAIN) == 3
    assert lost("order = randperm(9)\nx, y = x[order], y[order]\n", IN_MAIN) is None


@pytest.mark.parametrize("arguments", ["x, y", "x, *, y"])
def test_arguments_are_other_arrays_than_those_of_the_program(lost, arguments: str) -> None:
    program = "y = load()\nrng.shuffle(y)\n"
    assert lost(program, IN_MAIN.replace("main()", f"main({arguments})")) is None
    assert lost(program, IN_MAIN.replace("():\n", "():\n    y = load()\n")) is None
