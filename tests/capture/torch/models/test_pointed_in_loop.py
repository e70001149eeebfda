"""Lines of the training loop point at those around them."""

from pathlib import Path

from stetho.capture.torch.models.pointed_in_loop import in_loop

PROGRAM = """\
class Net(Module):
    def __init__(self):
        self.parts = [Part() for _ in range(3)]
    def forward(self, x):
        y, self.h = self.rnn(x, self.h)
        return y
class Part(Module):
    def __init__(self):
        self.body = Linear(2, 2)
optimizer.zero_grad()
for x in data:
    loss = net(x)
    loss.backward()
    history.append(loss)
    if ready:
        optimizer.step()
net.training = False
score = net(x)
"""


def test_each_kind_of_line_points_at_its_own(tmp_path: Path) -> None:
    file = tmp_path / "train.py"
    file.write_text(PROGRAM)
    layers = [
        {"name": "", "called": f"{file}:12"},
        {"name": "rnn", "called": f"{file}:5"},
        {"name": "stranger", "called": f"{file}:6", "constructed": f"{file}:9", "registered": False},
    ]
    lines = {"backward": [f"{file}:13"], "evaluation": [f"{file}:18"]}
    places = in_loop({"lines": lines, "models": [{"layers": layers}]})
    found = {(line, what): made for line, what, made in places if made is not None}
    assert found == {
        (f"{file}:13", "kept"): f"{file}:14",
        (f"{file}:13", "condition"): f"{file}:15",
        (f"{file}:13", "zeroed"): f"{file}:10",
        (f"{file}:18", "mode"): f"{file}:17",
        (f"{file}:12", "carried"): f"{file}:5",
        (f"{file}:9", "held"): f"{file}:3",
    }


def test_a_loader_and_a_model_point_at_numbers_of_samples_and_the_size_of_batches(tmp_path: Path) -> None:
    file = tmp_path / "train.py"
    file.write_text("train = order[:30]\nfor rows in train.split(5):\n    model(x[rows])\nloader = load(x)\n")
    layers = [{"name": "", "called": f"{file}:3"}]
    places = in_loop({"loaders": [{"line": f"{file}:4"}], "models": [{"layers": layers}]})
    assert [place for place in places if place[2] is not None] == [
        (f"{file}:4", "rows=30", f"{file}:1"),
        (f"{file}:3", "batch_size", f"{file}:2"),
        (f"{file}:3", "rows=30", f"{file}:1"),
    ]


def test_inputs_point_at_what_may_make_them_no_number(tmp_path: Path) -> None:
    file = tmp_path / "train.py"
    file.write_text("table = table / table.std(0)\nx = tensor(table)\n")
    places = list(in_loop({"models": [{"fed": f"{file}:2"}]}))
    assert (f"{file}:2", "undefined", f"{file}:1") in places


def test_a_step_points_at_what_may_leave_its_loop_early(tmp_path: Path) -> None:
    file = tmp_path / "train.py"
    file.write_text("for epoch in range(90):\n    optimizer.step()\n    if enough():\n        break\n")
    assert (f"{file}:2", "rounds=90", f"{file}:3") in list(in_loop({"lines": {"step": [f"{file}:2"]}}))
