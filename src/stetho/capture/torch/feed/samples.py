"""What is kept of a batch to know it again: a few of its elements, and their hash."""

from hashlib import blake2b

import torch
from torch import Tensor

from stetho.capture.torch.calls.leaves import tensor_leaves
from stetho.stats.arrays import array_of

HASHED = 1024
SAMPLES = 64
HASHED_OF_SAMPLE = 64


def content_hash(sample: Tensor, elements: int) -> int:
    """A hash of the sampled content and the size of a batch: equal batches have equal hashes on any device.

    >>> content_hash(torch.zeros(3), 3) == content_hash(torch.zeros(3), 3) != content_hash(torch.ones(3), 3)
    True
    """
    digest = blake2b(
        array_of(sample.cpu().contiguous().view(torch.uint8)).tobytes(),
        digest_size=8,
        key=elements.to_bytes(8, "little"),
    )
    return int.from_bytes(digest.digest(), "little", signed=True)


def regular_sample(tensor: Tensor) -> Tensor:
    """A copy of a few elements at a regular distance, on the tensor's device."""
    flat = tensor.detach()
    flat = flat.view(-1) if flat.is_contiguous() else flat.reshape(-1)
    if flat.numel() <= HASHED:
        return flat.clone()
    # An odd stride does not fall in step with the usual even row lengths.
    return flat[:: flat.numel() // HASHED | 1].clone()


def with_other_ids(inputs: Tensor, *values: object) -> Tensor:
    """One number for each sample makes a sample only with those beside it: a user and an item, not a user alone.

    >>> users, items = torch.tensor([1, 1]), torch.tensor([5, 6])
    >>> with_other_ids(users, (users, items)).tolist()
    [[1, 5], [1, 6]]
    """
    if inputs.dim() == 0 or inputs.is_floating_point() or inputs.numel() != len(inputs):
        return inputs
    leaves = [tensor for value in values for _, tensor in tensor_leaves(value) if tensor is not inputs]
    ids = [each for each in leaves if each.shape == inputs.shape and each.dtype is inputs.dtype]
    return torch.stack([each.detach().reshape(-1) for each in (inputs, *ids)], 1) if ids else inputs


def sample_rows(tensor: Tensor) -> Tensor:
    """A copy of a few elements of some samples of a batch: all of them, or such at a regular distance."""
    # From all over a large batch: what was mixed into it is seldom at its beginning.
    first = tensor.detach()[:: -(-len(tensor) // SAMPLES)] if tensor.dim() > 0 else tensor.detach()[None]
    rows = first.reshape(first.shape[0], -1)
    return rows[:, :: max(rows.shape[1] // HASHED_OF_SAMPLE, 1)].clone()
