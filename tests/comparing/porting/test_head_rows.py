"""Weights of attention that others store by head, by element, or for another rotary embedding are carried over."""

import pytest
import torch
from torch import Tensor, nn

from stetho.comparing.models.compare import compare_models
from stetho.comparing.porting.head_rows import other_heads
from stetho.comparing.porting.port import port
from stetho.comparing.porting.recipe import Recipe

HEADS, WIDTH = 2, 16
SPLIT = {"role": (3, HEADS, -1), "head": (HEADS, 3, -1), "element": (HEADS, -1, 3)}
ROLES_FIRST = {"role": (2, 0, 3, 1, 4), "head": (3, 0, 2, 1, 4), "element": (4, 0, 2, 1, 3)}


class Attention(nn.Module):
    """With all of its conventions to choose: the layout of its rows, and which elements are turned together."""

    def __init__(self, layout: str, pairs: str = "", part: int = 8, scale: float = 0.7) -> None:
        super().__init__()
        self.layout, self.pairs, self.part, self.scale = layout, pairs, part, scale
        if layout == "apart":
            self.q, self.k, self.v = (nn.Linear(WIDTH, WIDTH) for _ in range(3))
        else:
            self.qkv = nn.Linear(WIDTH, 3 * WIDTH)
        self.out = nn.Linear(WIDTH, WIDTH)

    def split(self, x: Tensor) -> tuple[Tensor, ...]:
        if self.layout == "apart":
            return tuple(each(x).unflatten(-1, (HEADS, -1)).transpose(1, 2) for each in (self.q, self.k, self.v))
        return self.qkv(x).unflatten(-1, SPLIT[self.layout]).permute(ROLES_FIRST[self.layout]).unbind()  # type: ignore[no-any-return]

    def turned(self, x: Tensor) -> Tensor:
        x, rest = x[..., : self.part], x[..., self.part :]
        angles = torch.arange(x.shape[-2]).outer(0.3 ** torch.arange(self.part // 2)).to(x)
        cos, sin = angles.cos(), angles.sin()
        a, b = x.chunk(2, -1) if self.pairs == "halves" else (x[..., ::2], x[..., 1::2])
        both = a * cos - b * sin, a * sin + b * cos
        whole = torch.cat(both, -1) if self.pairs == "halves" else torch.stack(both, -1).flatten(-2)
        return torch.cat([whole, rest], -1)

    def forward(self, x: Tensor) -> Tensor:
        q, k, v = self.split(x)
        q, k = (self.turned(q), self.turned(k)) if self.pairs else (q, k)
        shares = (q @ k.transpose(-1, -2) * self.scale).softmax(-1)
        return self.out((shares @ v).transpose(1, 2).flatten(2))  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("one", "other", "words"),
    [
        (("head",), ("role",), "qkv.weight, rows by head, then by role"),
        (("role",), ("head",), "qkv.weight, rows by role, then by head"),
        (("element",), ("head",), "qkv.weight, rows by element, then by head"),
        (("head",), ("apart",), "qkv.weight, rows by head, then by role, part 1 of 3"),
        (("apart",), ("head",), "q.weight | k.weight | v.weight, rows by role, then by head"),
        (("apart", "halves"), ("apart", "neighbours"), "q.weight, turned pairs apart, then side by side"),
        (("head", "neighbours"), ("role", "halves"),
         "qkv.weight, rows by head, then by role, turned pairs side by side, then apart"),
        (("head", "halves", 4), ("apart", "neighbours", 4),
         "qkv.weight, rows by head, then by role, turned pairs apart, then side by side, part 1 of 3"),
    ],
)  # fmt: skip
def test_another_order_of_rows_is_found_and_confirmed(one: tuple[str], other: tuple[str], words: str) -> None:
    torch.manual_seed(0)
    found = port(Attention(*one), Attention(*other), (2, 5, WIDTH))
    assert found.is_confirmed
    name = "q.weight" if other[0] == "apart" else "qkv.weight"
    assert str(found.plan.recipes[name]) == words


def test_a_fault_is_named_across_two_conventions() -> None:
    torch.manual_seed(0)
    pair = Attention("head", "halves"), Attention("apart", "neighbours", scale=0.5)
    difference = compare_models(*pair, (2, 5, WIDTH)).first_difference
    assert difference is not None
    assert "`other` is 0.7 in the first, 0.5 in the second" in difference.reasons[0]
    assert compare_models(pair[0], Attention("apart", "neighbours"), (2, 5, WIDTH)).is_equal


def test_weights_that_somebody_has_carried_over_are_known_by_their_rows() -> None:
    torch.manual_seed(0)
    one, other = Attention("head"), Attention("apart")
    rows = one.qkv.weight.detach().unflatten(0, (HEADS, 3, -1))
    biases = one.qkv.bias.detach().unflatten(0, (HEADS, 3, -1))
    with torch.no_grad():
        for role, layer in enumerate((other.q, other.k, other.v)):
            layer.weight.copy_(rows[:, role].flatten(0, 1))
            layer.bias.copy_(biases[:, role].flatten(0, 1))
    other.out.load_state_dict(one.out.state_dict())
    found = compare_models(one, other, (2, 5, WIDTH), port=False)
    assert found.is_equal
    assert "8 of 8 tensors of the second are those of the first" in found.weights


def test_nothing_is_tried_where_nothing_has_heads() -> None:
    weights = {"w": torch.randn(6, 2).numpy()}
    assert not [*other_heads({"w": Recipe(("w",), (6, 2))}, weights, [(2, 6)])]
