"""How the process of a program is started."""

from pathlib import Path

from stetho.capture.launch import Program
from stetho.equivalence.torch.inside import words_for
from stetho.equivalence.torch.loop import SPLIT, LoopWay


def test_the_words_end_with_the_program() -> None:
    words = words_for(LoopWay(SPLIT, 2), 3, Path("out"), Program("train.py", ("--lr", "1")))
    assert words[:4] == ["-m", "stetho.equivalence.torch.inside", "3", "out"]
    assert words[5:] == ["train.py", "--lr", "1"]
