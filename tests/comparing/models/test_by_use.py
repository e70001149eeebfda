"""New norms under names that were exchanged: their use tells which is which."""

import torch
from torch import Tensor, nn

from stetho.comparing.models.by_use import partners_by_use
from stetho.comparing.models.compare import compare_models
from stetho.comparing.models.sides import joined
from stetho.comparing.torch.subject import subjects_of


class Normed(nn.Module):
    def __init__(self, exchanged: bool) -> None:
        super().__init__()
        self.norm1, self.norm2, self.mix, self.exchanged = nn.LayerNorm(5), nn.LayerNorm(5), nn.Linear(5, 5), exchanged

    def forward(self, x: Tensor) -> Tensor:
        before, after = (self.norm2, self.norm1) if self.exchanged else (self.norm1, self.norm2)
        made: Tensor = after(self.mix(before(x)).tanh())
        return made


def pair() -> tuple[nn.Module, nn.Module]:
    torch.manual_seed(0)
    one, other = Normed(False), Normed(True)
    other.load_state_dict(one.state_dict())
    return one, other


def test_new_norms_are_told_apart_by_their_use() -> None:
    subjects, _ = subjects_of(pair(), (3, 5), ("one", "other"))
    sides = joined((subjects[0].trace(), subjects[1].trace()), 1e-9)
    found = partners_by_use(sides.one, sides.other, sides.same)
    assert found["norm2.weight"] == "norm1.weight"
    assert found["norm1.bias"] == "norm2.bias"


def test_exchanged_names_of_new_norms_are_no_difference() -> None:
    assert compare_models(*pair(), (3, 5)).compared == "1 output and 7 gradients"
