"""Stacks for flame graphs."""

import io
import json

from stetho.profiling.flame import folded, tree, write_speedscope
from tests.profiling.sample import PROFILE


def test_folded_stacks_are_lines_with_microseconds() -> None:
    assert folded(PROFILE) == "forward;model;model.fc;aten::mm 2000\nother 500\n"


def test_speedscope_gets_frames_and_weights() -> None:
    file = io.StringIO()
    write_speedscope(PROFILE, file, "train.py")
    document = json.loads(file.getvalue())
    (profile,) = document["profiles"]
    frames = [frame["name"] for frame in document["shared"]["frames"]]
    assert [[frames[number] for number in sample] for sample in profile["samples"]] == [
        ["forward", "model", "model.fc", "aten::mm"],
        ["other"],
    ]
    assert (profile["weights"], profile["endValue"]) == ([0.002, 0.0005], 0.0025)


def test_the_tree_sums_what_is_below() -> None:
    root = tree(PROFILE)
    assert root["seconds"] == 0.0025
    assert [child["name"] for child in root["children"]] == ["forward", "other"]
