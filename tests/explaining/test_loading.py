"""Data loaders. Each error is made by really running torch."""

from typing import Any

import pytest

CASES = {
    "two_orders": (
        "shuffle-and-sampler",
        """
        from torch.utils.data import DataLoader, RandomSampler
        rows = torch.ones(4, 1)
        DataLoader(rows, shuffle=True, sampler=RandomSampler(rows))
        """,
        "which samples come when",
    ),
    "an_order_of_its_own": (
        "shuffle-and-sampler",
        """
        from torch.utils.data import DataLoader, IterableDataset
        class Stream(IterableDataset):
            def __iter__(self):
                yield 1
        DataLoader(Stream(), shuffle=True)
        """,
        "the order drawn in __iter__",
    ),
    "rows_that_do_not_pair": (
        "sizes-of-tensors",
        """
        torch.utils.data.TensorDataset(torch.ones(4, 1), torch.ones(5))
        """,
        "differ in their number of rows",
    ),
    "parts_of_another_whole": (
        "split-lengths",
        """
        torch.utils.data.random_split(torch.ones(10), [6, 3])
        """,
        "[0.8, 0.2]",
    ),
    "samples_of_different_size": (
        "stack-sizes",
        """
        loader = torch.utils.data.DataLoader([torch.zeros(2), torch.zeros(3)], batch_size=2)
        for batch in loader:
            pass
        """,
        "samples of one batch differ in shape: [2] (number 0 in it) and [3] (number 1)",
        "collate_fn",
    ),
    "samples_that_are_nothing": (
        "collate-type",
        """
        loader = torch.utils.data.DataLoader([None, None], batch_size=2)
        next(iter(loader))
        """,
        "NoneType",
        "`return`",
    ),
    "lists_of_different_length": (
        "collate-length",
        """
        loader = torch.utils.data.DataLoader([[1, 2], [1]], batch_size=2)
        next(iter(loader))
        """,
        "differ in length",
        "pad_sequence",
    ),
    "no_samples_at_all": (
        "empty-dataset",
        """
        torch.utils.data.DataLoader([], shuffle=True)
        """,
        "empty",
        "len(dataset)",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_explains(case: str, unsaid: Any) -> None:
    assert unsaid(*CASES[case]) == []


WORKER = """
class Data(torch.utils.data.Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, index):
        return torch.zeros(3, 4) @ torch.zeros(5, 6)


for batch in torch.utils.data.DataLoader(Data(), num_workers=1):
    pass
"""


def test_explains_the_error_of_a_worker_by_the_text_it_sends(unsaid: Any) -> None:
    words = ("worker 0", "program.py:7 in __getitem__", "(3x4 and 5x6)", "a second matrix of [4, 6]", "num_workers=0")
    assert unsaid("dataloader-worker-error", WORKER, *words) == []
