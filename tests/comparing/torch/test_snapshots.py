"""Values that stay what they were."""

import numpy as np
import pytest
import torch
from torch import Tensor

from stetho.comparing.models.trace import OPERATION, Site
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
    for snapshots in (Snapshots(), Snapshots(copies=True)):
        assert np.array_equal(snapshots.of(tensor), array_of(tensor))
        assert np.array_equal(snapshots.of(tensor), array_of(tensor))


def test_a_snapshot_does_not_follow_what_is_written_later() -> None:
    snapshots, tensor = Snapshots(copies=True), torch.zeros(3)
    before = snapshots.of(tensor)
    tensor[1:].fill_(5)
    assert before.tolist() == [0, 0, 0]
    assert snapshots.of(tensor[1:]).tolist() == [5, 5]
    assert before.tolist() == [0, 0, 0]


def test_a_small_part_of_much_is_copied_alone() -> None:
    snapshots, tensor = Snapshots(copies=True), torch.zeros(1000)
    assert snapshots.of(tensor[:2]).base is None
    assert np.shares_memory(snapshots.of(tensor), snapshots.of(tensor[:2]))


def test_values_are_lent_until_somebody_says_that_he_writes() -> None:
    snapshots, tensor = Snapshots(), torch.zeros(100, 100)
    sites = [Site(number, OPERATION, "zeros", "", np.empty(0)) for number in range(2)]
    snapshots.put(sites[0], tensor.T)
    assert np.shares_memory(sites[0].value, tensor.numpy())
    snapshots.before_write(tensor)
    tensor.add_(1)
    snapshots.put(sites[1], tensor)
    tensor.add_(1)
    assert [site.value.max() for site in sites] == [0, 1]
    assert not snapshots.is_too_late


def test_who_writes_without_a_word_is_noticed() -> None:
    snapshots, tensor = Snapshots(), torch.zeros(100, 100)
    snapshots.put(Site(0, OPERATION, "zeros", "", np.empty(0)), tensor)
    tensor[0].add_(1)
    assert snapshots.is_too_late


def test_without_a_copy_the_memory_is_shared() -> None:
    tensor = torch.zeros(3)
    shared = array_of(tensor, copy=False)
    tensor.add_(1)
    assert shared.tolist() == [1, 1, 1]
