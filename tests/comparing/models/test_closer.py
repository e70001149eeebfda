"""A closer look at what one model does in one step."""

import torch
from torch import Tensor, nn

from stetho.comparing.models.compare import compare_models


class Norm(nn.Module):
    def __init__(self, wrong: bool = False) -> None:
        super().__init__()
        self.wrong = wrong

    def forward(self, x: Tensor) -> Tensor:
        centred = x - x.mean(-1, keepdim=True)
        return centred / (centred.square().mean(-1, keepdim=True) * (2 if self.wrong else 1) + 1e-5).sqrt()


def test_a_step_that_nobody_sees_inside_of_a_layer_is_compared_too() -> None:
    difference = compare_models(nn.LayerNorm(6), Norm(True), torch.randn(4, 6)).first_difference
    assert difference is not None
    assert str(difference) == "add in the model itself and mul in the model itself"


def test_two_functions_that_have_nothing_in_common_stay_whole() -> None:
    difference = compare_models(nn.GELU(), nn.ReLU(), (4, 6)).first_difference
    assert str(difference) == "gelu in the model itself and relu in the model itself"


def test_a_function_that_both_use_stays_whole() -> None:
    class Shifted(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.conv = nn.Conv1d(4, 4, 3)

        def forward(self, x: Tensor) -> Tensor:
            return self.conv(nn.functional.pad(x, (2, 0)))

    torch.manual_seed(0)
    first, second = nn.Sequential(nn.Conv1d(4, 4, 3, padding=1)), Shifted()
    second.conv.load_state_dict(first[0].state_dict())
    difference = compare_models(first, second, (2, 4, 6), port=False).first_difference
    assert str(difference) == "conv1d in `0` (Conv1d) and pad in the model itself"
