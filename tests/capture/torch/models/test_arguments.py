"""The numbers of optimizers, layers, loaders and clips are followed to their lines."""

from pathlib import Path

from stetho.capture.torch.models.arguments import arguments_of

PROGRAM = """\
RATE, DECAY, LIMIT = 0.1, 0.2, 0.3
DROP = 0.9
BATCH = 4096
WEIGHTS = torch.tensor([0.0, 1.0])
model = Sequential(Linear(4, 4), Dropout(DROP))
optimizer = SGD(model.parameters(), RATE, weight_decay=DECAY)
loader = DataLoader(data, BATCH)
criterion = CrossEntropyLoss(weight=WEIGHTS)
clip_grad_norm_(model.parameters(), LIMIT)
"""


def test_each_kind_of_maker_is_known_by_its_arguments(tmp_path: Path) -> None:
    file = tmp_path / "train.py"
    file.write_text(PROGRAM)
    found = arguments_of(
        {
            "models": [{"layers": [{"class": "Dropout", "constructed": f"{file}:5"}, {"class": "Linear"}]}],
            "optimizers": [{"class": "SGD", "line": f"{file}:6"}],
            "loaders": [{"line": f"{file}:7"}],
            "losses": [{"call": "cross_entropy", "constructed": f"{file}:8"}],
            "lines": {"clip": [f"{file}:9"]},
        }
    )
    assert found == {
        f"{file}:5": {"p": f"{file}:2"},
        f"{file}:6": {"lr": f"{file}:1", "weight_decay": f"{file}:1"},
        f"{file}:7": {"batch_size": f"{file}:3"},
        f"{file}:8": {"weight": f"{file}:4"},
        f"{file}:9": {"max_norm": f"{file}:1"},
    }


def test_a_number_at_the_call_itself_needs_no_other_line(tmp_path: Path) -> None:
    file = tmp_path / "train.py"
    file.write_text("optimizer = SGD(weights, lr=0.1)\n")
    assert arguments_of({"optimizers": [{"class": "SGD", "line": f"{file}:1"}]}) == {}


def test_of_several_layers_at_a_line_each_has_the_width_that_it_says(tmp_path: Path) -> None:
    file = tmp_path / "train.py"
    file.write_text("WIDE = 64\nCODE = 1\nnet = Sequential(Conv2d(1, WIDE, 3), Conv2d(WIDE, CODE, 3))\n")
    layers = [
        {"class": "Conv2d", "constructed": f"{file}:3", "settings": settings}
        for settings in ("1, 64, kernel_size=(3, 3)", "64, 1, kernel_size=(3, 3)")
    ]
    found = arguments_of({"models": [{"layers": layers}]})
    assert found == {f"{file}:3": {"out_channels=64": f"{file}:1", "out_channels=1": f"{file}:2"}}


def test_a_layer_of_a_block_has_the_width_that_its_own_block_was_given(tmp_path: Path) -> None:
    file = tmp_path / "train.py"
    file.write_text(
        "class Block:\n  def __init__(self, i, o):\n    self.fc = Linear(i, o)\n\n"
        "one = Block(4, 8)\ntwo = Block(8, 1)\n"
    )
    layers = [
        {"name": "one", "class": "Block", "constructed": f"{file}:5"},
        {"name": "two", "class": "Block", "constructed": f"{file}:6"},
    ]
    layers += [
        {"name": f"{name}.fc", "class": "Linear", "constructed": f"{file}:3", "settings": f"out_features={width}"}
        for name, width in (("one", 8), ("two", 1))
    ]
    found = arguments_of({"models": [{"layers": layers}]})
    assert found == {f"{file}:3": {"out_features=8": f"{file}:5", "out_features=1": f"{file}:6"}}
