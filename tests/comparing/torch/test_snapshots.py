"""Values that stay what they were."""

import numpy as np
import pytest
import torch
from torch import Tensor

from stetho.comparing.torch.snapshots import Snapshots, array_of


def odd_tensors() -> list[Tensor]:
    plain = torch.arange(24.0).reshape(2, 3, 4)
    return [
        plain, plain[1], plain[:, 1:, ::2], plain.transpose(0, 2), plain[0, 0].expand(5, 4), plain[0, 0, :1],
        plain.sum(), plain.int(), plain.bool(), plain.half(), plain.bfloat16(), torch.zeros(0, 3), plain.to_sparse(),
        plain.mT.mT,
        torch.complex(plain, plain).conj(), torch.complex(plain, plain).imag, torch.nn.Parameter(plain[0]),
        torch.randn(100)[3:5],
    ]  # fmt: skip


@pytest.mark.parametrize("place", range(len(odd_tensors())))
def test_a_snapshot_holds_the_values_of_its_tensor(place: int) -> None:
    tensor = odd_tensors()[place]
    snapshots = Snapshots()
    for _ in range(2):
        assert np.array_equal(snapshots.of(tensor), array_of(tensor))


def test_a_snapshot_does_not_follow_what_is_written_later() -> None:
    snapshots, tensor = Snapshots(), torch.zeros(3)
    before = snapshots.of(tensor)
    tensor[1:].fill_(5)
    assert before.tolist() == [0, 0, 0]
    assert snapshots.of(tensor[1:]).tolist() == [5, 5]
    assert before.tolist() == [0, 0, 0]


def test_a_small_part_of_much_is_copied_alone() -> None:
    snapshots, tensor = Snapshots(), torch.zeros(1000)
    assert snapshots.of(tensor[:2]).base is None
    assert np.shares_memory(snapshots.of(tensor), snapshots.of(tensor[:2]))


def test_without_a_copy_the_memory_is_shared() -> None:
    tensor = torch.zeros(3)
    shared = array_of(tensor, copy=False)
    tensor.add_(1)
    assert shared.tolist() == [1, 1, 1]
