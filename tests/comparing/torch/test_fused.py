"""Functions in their lines compute what they compute at once."""

from typing import Any

import pytest
import torch
from torch.nn import functional as F

from stetho.comparing.torch.fused import STEPS, in_steps

G = torch.Generator().manual_seed(0)


def drawn(*shape: int) -> torch.Tensor:
    return torch.randn(shape, generator=G, dtype=torch.float64)


X, V = drawn(2, 6, 9, 8), drawn(6)
CASES: list[tuple[str, Any, tuple[Any, ...], dict[str, Any]]] = [
    ("linear", F.linear, (drawn(2, 3), drawn(4, 3), drawn(4)), {}),
    ("layer_norm", F.layer_norm, (X, (9, 8), drawn(9, 8), drawn(9, 8), 1e-3), {}),
    ("rms_norm", F.rms_norm, (X, (8,), drawn(8)), {"eps": 1e-3}),
    ("rms_norm", F.rms_norm, (X, (8,)), {}),
    ("group_norm", F.group_norm, (X, 3, V, V), {"eps": 1e-3}),
    ("instance_norm", F.instance_norm, (X, None, None, V, V), {"eps": 1e-3}),
    ("instance_norm", F.instance_norm, (X, V, V.exp(), V, V, False), {}),
    ("batch_norm", F.batch_norm, (X, V, V.exp(), V, V, False, 0.1, 1e-3), {}),
    ("gelu", F.gelu, (X,), {}),
    ("gelu", F.gelu, (X,), {"approximate": "tanh"}),
    ("silu", F.silu, (X,), {}),
    ("conv1d", F.conv1d, (drawn(2, 4, 9), drawn(6, 2, 3), V, (2,), (1,), (2,), 2), {}),
    ("conv2d", F.conv2d, (X, drawn(4, 6, 3, 2)), {"stride": (2, 1), "padding": 1, "bias": drawn(4)}),
]


@pytest.mark.parametrize(("name", "function", "args", "kwargs"), CASES)
def test_steps_give_the_same(name: str, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    steps = in_steps(name, args, kwargs)
    assert steps is not None
    assert torch.allclose(steps(), function(*args, **kwargs), rtol=1e-10, atol=1e-12)


def test_every_function_has_a_case() -> None:
    assert {case[0] for case in CASES} == set(STEPS)


@pytest.mark.parametrize(
    ("name", "args", "kwargs"),
    [
        ("softmax", (X,), {}),
        ("conv2d", (X, drawn(4, 6, 3, 3)), {"padding": "same"}),
        ("conv2d", (X[0], drawn(4, 6, 3, 3)), {}),
        ("batch_norm", (X, V, V.exp()), {"training": True}),
    ],
)
def test_what_has_no_steps_stays_whole(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    assert in_steps(name, args, kwargs) is None
