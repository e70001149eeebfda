"""The layer of an error: named as the model names it, with the line that built it."""

import textwrap
from pathlib import Path

from stetho.capture.frames import places_of
from stetho.capture.torch.failure.scene import scene_of
from stetho.explaining.scene import LayerFacts

NET = """
import torch
from torch import nn

class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(5, 2))

    def forward(self, x):
        return self.body(x)

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block()])

    def forward(self, x):
        return self.blocks[0](x)

"""


def layer(end: str, folder: Path) -> LayerFacts | None:
    file = folder / "program.py"
    text = textwrap.dedent(NET) + end
    file.write_text(text)
    try:
        exec(compile(text, str(file), "exec"), {"__name__": "__main__"})
    except Exception as error:
        return scene_of("RuntimeError", str(error), places_of(error.__traceback__)[1:]).layer
    raise AssertionError


def test_is_named_from_the_outermost_model(tmp_path: Path) -> None:
    found = layer("net = Net()\nnet(torch.rand(2, 4))\n", tmp_path)
    assert found is not None
    assert (found.name, found.kind, found.dtype, found.device) == ("blocks.0.body.2", "Linear", "float32", "cpu")
    assert found.settings["in_features"] == 5
    assert found.built is not None
    assert found.built.where == f"{tmp_path}/program.py:8"
    assert found.after == "`1` ReLU()"


def test_a_model_called_alone_has_the_name_of_its_variable(tmp_path: Path) -> None:
    found = layer("head = nn.Linear(3, 2)\nhead(torch.rand(2, 4))\n", tmp_path)
    assert found is not None
    assert (found.name, found.kind, found.built) == ("head", "Linear", None)


def test_a_layer_that_is_being_made_has_its_arguments_as_settings(tmp_path: Path) -> None:
    found = layer("nn.MultiheadAttention(10, 3)\n", tmp_path)
    assert found is not None
    assert (found.settings["embed_dim"], found.settings["num_heads"]) == (10, 3)


def test_outside_of_modules_there_is_none(tmp_path: Path) -> None:
    assert layer("torch.rand(3) @ torch.rand(4)\n", tmp_path) is None
