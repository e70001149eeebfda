"""Weights of layers that somebody has matched."""

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from stetho.comparing.porting.given import align_in, groups_of
from stetho.comparing.porting.port import port
from stetho.comparing.porting.usage import Used
from stetho.errors import UsageError


class Branches(nn.Module):
    """Two branches that are alike, one of which counts for more; they are called in this order or the other."""

    def __init__(self, *names: str, weights: tuple[float, float] = (1.0, 3.0)) -> None:
        super().__init__()
        for name in names:
            setattr(self, name, nn.Linear(4, 4))
        self.names, self.weights = names, weights

    def forward(self, x: Tensor) -> Tensor:
        return sum(
            weight * getattr(self, name)(x).tanh() for name, weight in zip(self.names, self.weights, strict=True)
        )


def used(*names: str) -> list[Used]:
    return [Used(name, np.zeros(3)) for name in names]


def test_matched_layers_keep_their_weights_among_themselves() -> None:
    ours, theirs = used("a.weight", "b.weight"), used("x.weight", "y.weight")
    groups = groups_of([("a", "y"), ("", "")], ours, theirs)
    recipes = align_in(groups, ours, theirs)
    assert {name: each.sources for name, each in recipes.items()} == {
        "y.weight": ("a.weight",),
        "x.weight": ("b.weight",),
    }
    assert [group.is_kept(recipes) for group in groups] == [True]
    assert not groups[0].is_kept({"y.weight": recipes["x.weight"]})


def test_a_layer_with_more_weights_than_its_match_is_left_alone() -> None:
    assert groups_of([("a", "x")], used("a.in.weight", "a.out.weight"), used("x.weight")) == []


def test_inner_layers_come_before_those_that_hold_them() -> None:
    groups = groups_of([("a", "x"), ("a.in", "x.out")], used("a.in.weight"), used("x.out.weight"))
    assert [group.pair for group in groups] == [("a.in", "x.out")]


def test_matches_are_written_and_followed(tmp_path) -> None:
    torch.manual_seed(0)
    one, other = Branches("left", "right"), Branches("up", "down", weights=(3.0, 1.0))
    file = tmp_path / "matches.txt"
    found = port(one, other, (2, 4), matches=file)
    assert found.is_confirmed
    assert "right = up" in file.read_text()
    file.write_text("right = up\nleft = down\n")
    assert port(one, other, (2, 4), matches=file).plan.recipes["up.weight"].sources == ("right.weight",)


def test_matches_that_stand_in_the_way_are_told(tmp_path) -> None:
    file = tmp_path / "matches.txt"
    file.write_text("left = up\n")
    with pytest.raises(UsageError, match="with these matches: `left = up`; without them, they can"):
        port(Branches("left", "right"), Branches("up", "down", weights=(3.0, 1.0)), (2, 4), matches=file)
