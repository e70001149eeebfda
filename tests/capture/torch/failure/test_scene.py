"""What is known of the place where an error arose."""

import textwrap
from pathlib import Path

import torch

from stetho.capture.frames import places_of
from stetho.capture.torch.failure.scene import scene_of
from stetho.explaining.scene import Scene

HEAD = "import torch; from torch import nn; import torch.nn.functional as F\n"


def scene(code: str, folder: Path) -> Scene:
    file = folder / "program.py"
    text = HEAD + textwrap.dedent(code).lstrip()
    file.write_text(text)
    try:
        exec(compile(text, str(file), "exec"), {"__name__": "__main__"})
    except Exception as error:
        return scene_of(type(error).__name__, str(error), places_of(error.__traceback__)[1:])
    raise AssertionError


def test_operands_have_the_names_of_the_program_and_the_line_that_made_them(tmp_path: Path) -> None:
    seen = scene("a = torch.rand(2, 3)\nb = torch.rand(4)\nprint(1, a + b)\n", tmp_path)
    assert seen.code == "a + b"
    assert [(each.name, each.shape) for each in seen.operands] == [("a", (2, 3)), ("b", (4,))]
    assert seen.operands[1].made is not None
    assert seen.operands[1].made.code == "b = torch.rand(4)"


def test_tensors_in_lists_and_attributes_are_operands(tmp_path: Path) -> None:
    seen = scene("parts = [torch.rand(2), torch.rand(3)]\ntorch.stack(parts)\n", tmp_path)
    assert [each.name for each in seen.operands] == ["parts[0]", "parts[1]"]
    assert seen.layer is None


def test_an_argument_is_told_under_the_name_that_the_caller_uses(tmp_path: Path) -> None:
    seen = scene("scores, labels = torch.rand(4, 3), torch.rand(5).long()\nF.cross_entropy(scores, labels)\n", tmp_path)
    assert [each.name for each in seen.tensors][:2] == ["scores", "labels"]


def test_without_a_frame_of_the_user_there_is_only_the_message() -> None:
    assert scene_of("ValueError", "no", []) == Scene("ValueError", "no")


def test_a_scene_keeps_no_tensor(tmp_path: Path) -> None:
    seen = scene("a = torch.rand(2, 3)\na.view(7)\n", tmp_path)
    assert not any(isinstance(value, torch.Tensor) for each in seen.tensors for value in (each.text, each.shape))
