"""Seeds that are set for each batch."""

import pytest

from stetho.capture.text.reseeded import reseeded_at, worker_seeded_at

PROGRAM = """
import torch

def noisy(x):
    generator = torch.Generator().manual_seed(SEED)
    return x + torch.randn(x.shape, generator=generator)

def evaluate(model, x):
    torch.manual_seed(0)
    return model(x)

for epoch in range(3):
    for rows in order.split(8):
        batch = noisy(x[rows])
        loss = criterion(model(batch), y[rows])
        loss.backward()
    evaluate(model, x)
"""


@pytest.fixture
def seeded(tmp_path):
    def seeded(seed="11", program=PROGRAM):
        file = tmp_path / f"train{seed}.py"
        file.write_text(program.replace("SEED", seed))
        lines = file.read_text().splitlines()
        number = next(n for n, line in enumerate(lines, 1) if "criterion(" in line)
        found = reseeded_at(f"{file}:{number}")
        return None if found is None else lines[int(found.rpartition(":")[2]) - 1].strip()

    return seeded


def test_a_function_that_seeds_what_the_model_is_given_is_found(seeded):
    assert seeded() == "generator = torch.Generator().manual_seed(11)"
    inline = PROGRAM.replace("model(batch)", "model(noisy(x[rows]))").replace("        batch = noisy(x[rows])\n", "")
    assert seeded("12", inline) is not None


def test_seeds_that_differ_and_those_of_an_evaluation_are_not(seeded):
    assert seeded("torch.seed()") is None
    assert seeded("13", PROGRAM.replace("noisy(x[rows])", "x[rows]")) is None


def test_a_line_outside_of_loops_tells_nothing(seeded):
    assert seeded("14", PROGRAM.replace("    for rows in order.split(8):\n", "    if True:\n").replace(
        "for epoch in range(3):", "if True:")) is None  # fmt: skip


def test_workers_that_all_get_one_seed_are_seeded_in_their_function(tmp_path):
    file = tmp_path / "train.py"
    text = "def begin(worker):\n    np.random.seed({})\nloader = DataLoader(data, worker_init_fn=begin)\n"
    file.write_text(text.format(2024))
    assert worker_seeded_at(f"{file}:3") == f"{file}:2"
    other = tmp_path / "other.py"
    other.write_text(text.format("2024 + worker"))
    assert worker_seeded_at(f"{other}:3") is None
