"""Lines that findings name point at the line where what they are given is made."""

from pathlib import Path

from stetho.capture.torch.models import pointed
from stetho.capture.torch.models.pointed import pointed_at

PROGRAM = """\
state = {name[8:]: value for name, value in saved.items()}
net.load_state_dict(state, strict=False)
weight = 1 - counts / counts.max()
criterion = CrossEntropyLoss(weight=weight / weight.sum())
class Net(Module):
    def __init__(self, act):
        self.act = act()
    def forward(self, x):
        seq = x.reshape(8, 4, 2)
        for piece in seq:
            state = torch.zeros(4)
            out = self.cell(piece, state)
        return self.head(seq)
model = Net(nn.Sigmoid)
kl = -0.5 * (1 + lv - mu**2 - lv.exp()).sum()
rec = mse_loss(out, x)
(rec + kl).backward()
"""


def test_each_kind_of_line_points_at_what_it_is_given(tmp_path: Path) -> None:
    file = tmp_path / "train.py"
    file.write_text(PROGRAM)
    layers = [
        {"name": "cell", "class": "GRUCell", "called": f"{file}:12", "constructed": None},
        {"name": "act", "class": "Sigmoid", "called": None, "constructed": f"{file}:7"},
        {"name": "head", "class": "Linear", "called": f"{file}:13", "between": [{"op": "View"}]},
    ]
    found = pointed_at(
        {
            "loads": [{"line": f"{file}:2"}],
            "losses": [{"call": "cross_entropy", "line": f"{file}:16", "constructed": f"{file}:4", "weight": [0, 1]}],
            "loss_graphs": [{"line": f"{file}:17", "nats": [0.1]}],
            "models": [{"layers": layers, "edges": []}],
        }
    )
    assert found == {
        f"{file}:2": {"state_dict": f"{file}:1"},
        f"{file}:4": {"weight": f"{file}:3"},
        f"{file}:7": {"class": f"{file}:14"},
        f"{file}:12": {"state": f"{file}:11"},
        f"{file}:13": {"view": f"{file}:9"},
        f"{file}:17": {"term": f"{file}:15"},
    }


def test_a_text_that_a_reader_fails_on_tells_nothing(monkeypatch) -> None:
    def fail(_line: str) -> str:
        raise RecursionError

    monkeypatch.setattr(pointed, "renamed_at", fail)
    assert pointed_at({"loads": [{"line": "train.py:2"}, {"line": None}]}) == {}


def test_a_layer_points_at_the_copy_of_an_embedding_that_it_is_given(tmp_path: Path) -> None:
    file = tmp_path / "net.py"
    file.write_text("self.head = Linear(4, 9)\nself.head.weight.data.copy_(self.words.weight)\n")
    layers = [{"name": "words", "class": "Embedding"}, {"name": "head", "class": "Linear", "constructed": f"{file}:1"}]
    parameters = [{"name": f"{name}.weight", "shape": [9, 4], "optimizer": 0} for name in ("words", "head")]
    found = pointed_at({"models": [{"layers": layers, "parameters": parameters}]})
    assert found == {f"{file}:1": {"copy of words": f"{file}:2"}}


def test_layers_point_at_a_softmax_and_at_indices(tmp_path: Path) -> None:
    file = tmp_path / "net.py"
    file.write_text("places = zeros_like(ids)\nh = self.words(places)\nw = softmax(h, 0)\ny = self.head(w)\n")
    between = [{"op": "Softmax"}]
    layers = [
        {"name": "words", "class": "Embedding", "called": f"{file}:2"},
        {"name": "head", "class": "Linear", "called": f"{file}:4", "between": between},
    ]
    assert pointed_at({"models": [{"layers": layers}]}) == {
        f"{file}:2": {"indices of words": f"{file}:1"},
        f"{file}:4": {"softmax": f"{file}:3", "softmax over samples": f"{file}:3"},
    }
