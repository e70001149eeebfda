"""Values that are taken apart. Each error is made by really taking something apart."""

from typing import Any

import pytest

from stetho.explaining.scene import Scene, Unpacked
from stetho.explaining.unpacking import no_parts, number_of_values

CASES = {
    "a_third_tensor_in_the_batch": (
        "number-of-values",
        """
        from torch.utils.data import DataLoader, TensorDataset
        loader = DataLoader(TensorDataset(torch.rand(8, 4), torch.rand(8, 1), torch.ones(8)), batch_size=2)
        for x, y in loader:
            pass
        """,
        "`x, y` take 2 values, and a batch of `loader` has 3",
        "float32[…, 4], float32[…, 1], float32[…]",
        "a name for each",
    ),
    "a_batch_that_is_a_dict": (
        "number-of-values",
        """
        from torch.utils.data import DataLoader, random_split
        data = [{"image": torch.rand(4), "label": n, "weight": 1.0} for n in range(8)]
        train, _ = random_split(data, [6, 2])
        loader = DataLoader(train, batch_size=2)
        for step, (x, y) in enumerate(loader):
            pass
        """,
        "a batch of `loader` is a dict of 3",
        "`x = batch['image']`",
    ),
    "a_data_set_of_the_program": (
        "number-of-values",
        """
        from torch.utils.data import DataLoader, Dataset
        class Pictures(Dataset):
            def __len__(self):
                return 8
            def __getitem__(self, index):
                picture = torch.rand(4)
                return picture, index, {"name": str(index)}
        for x, y in DataLoader(Pictures(), batch_size=2):
            pass
        """,
        "gives more",
    ),
    "a_data_set_of_the_program_by_name": (
        "number-of-values",
        """
        from torch.utils.data import ConcatDataset, DataLoader, Dataset
        class Pictures(Dataset):
            def __len__(self):
                return 8
            def __getitem__(self, index):
                picture = torch.rand(4)
                return picture, index, index
        loader = DataLoader(ConcatDataset([Pictures(), Pictures()]), batch_size=2)
        for x, y in loader:
            pass
        """,
        "a batch of `loader` has 3",
        "given back at program.py:8: return (picture, index, index)",
    ),
    "batches_of_one_tensor": (
        "number-of-values",
        """
        from torch.utils.data import DataLoader
        loader = DataLoader(torch.rand(8, 4), batch_size=4)
        for x, y in loader:
            pass
        """,
        "a batch of `loader` is one tensor: taken apart, it gives its rows",
    ),
    "a_function_that_collates": (
        "number-of-values",
        """
        from torch.utils.data import DataLoader
        def collate(samples):
            x = torch.stack(samples)
            return x, x, x
        loader = DataLoader(list(torch.rand(8, 4)), batch_size=4, collate_fn=collate)
        for x, y in loader:
            pass
        """,
        "a batch of `loader` has 3",
        "return (x, x, x)",
    ),
    "the_brackets_after_enumerate_are_missing": (
        "number-of-values",
        """
        pairs = [(1, 2), (3, 4)]
        for step, x, y in enumerate(pairs):
            pass
        """,
        "`step, x, y` take 3 values, and `enumerate` gives 2",
        "`for step, (x, y) in enumerate(pairs)`",
    ),
    "a_shape_with_fewer_axes": (
        "number-of-values",
        """
        class Attention(nn.Module):
            def forward(self, x):
                batch, length, width = x.size()
        Attention()(torch.rand(4, 8))
        """,
        "`batch, length, width` take 3 values, and `x.size()` has 2: [4, 8]",
        "as many names as axes",
    ),
    "the_states_of_an_lstm": (
        "number-of-values",
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.rnn = nn.LSTM(4, 8)
            def forward(self, x):
                out, h, c = self.rnn(x)
        Net()(torch.rand(5, 3, 4))
        """,
        "`self.rnn` (LSTM) gives 2",
        "`output, (h, c) = self.rnn(…)`",
    ),
    "a_gru": (
        "number-of-values",
        "rnn = nn.GRU(4, 8)\nout, h, c = rnn(torch.rand(5, 3, 4))",
        "`rnn` (GRU) gives 2",
        "`output, h = rnn(…)`",
    ),
    "an_attention": (
        "number-of-values",
        "mha = nn.MultiheadAttention(4, 2)\nx = torch.rand(3, 2, 4)\nout, weights, cache = mha(x, x, x)",
        "`mha` (MultiheadAttention) gives 2",
    ),
    "a_model_that_gives_three": (
        "number-of-values",
        """
        class Auto(nn.Module):
            def forward(self, x):
                return x, x.mean(), x.std()
        model = Auto()
        out, mean = model(torch.rand(3))
        """,
        "`out, mean` take 2 values, and `model` (Auto) gives 3",
        "given back at program.py:4: return (x, x.mean(), x.std())",
    ),
    "a_method_of_the_program": (
        "number-of-values",
        """
        class Data:
            def load(self):
                return 1, 2, 3
        data = Data()
        x, y = data.load()
        """,
        "`data.load` gives 3",
    ),
    "a_plain_value": (
        "number-of-values",
        "pair = (torch.rand(2), 1, 'a')\nx, y = pair",
        "`pair` gives 3",
        "float32[2], int, str",
    ),
    "a_function_that_gives_back_in_two_places": (
        "number-of-values",
        """
        def load(both):
            if both:
                return 1, 2, 3
            return 1, 2
        x, y = load(True)
        """,
        "`load` gives more",
        "print what comes",
    ),
    "nothing_is_given_back": (
        "nothing-to-take-apart",
        """
        class Net(nn.Module):
            def forward(self, x):
                mean, spread = x.chunk(2)
        net = Net()
        mean, spread = net(torch.rand(4))
        """,
        "`net(torch.rand(4))` is None: it cannot be taken apart",
        "a `return` in every branch",
    ),
    "a_loss_is_one_number": (
        "nothing-to-take-apart",
        "criterion = nn.MSELoss()\nloss, score = criterion(torch.rand(3), torch.rand(3))",
        "is one number: it cannot be taken apart",
        "not `loss, score`",
    ),
    "a_number_of_epochs": (
        "nothing-to-take-apart",
        "epochs = 3\nfor epoch in epochs:\n    pass",
        "`epochs` is one int: it cannot be gone through",
        "range(epochs)",
    ),
    "an_object_that_is_no_loader": (
        "nothing-to-take-apart",
        """
        class Bag:
            pass
        bag = Bag()
        for x, y in bag:
            pass
        """,
        "`bag` is one Bag: it cannot be gone through",
        "a class with __iter__",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_explains(case: str, unsaid: Any) -> None:
    assert unsaid(*CASES[case]) == []


def test_what_a_library_takes_apart_is_not_spoken_of(report: Any) -> None:
    assert report("dict([(1, 2, 3)])").explanation is None


@pytest.mark.parametrize("unit", [number_of_values, no_parts])
def test_what_is_not_seen_is_not_explained(unit: Any) -> None:
    for message in ("too many values to unpack (expected 2)", "cannot unpack non-iterable int object"):
        assert unit.explain(Scene("ValueError", message)) is None


def test_what_the_text_says_is_not_told_where_the_message_says_otherwise() -> None:
    seen = Unpacked("x, y", "load()", "`load`", "values", ("a", "b", "c"))
    told = number_of_values.explain(
        Scene("ValueError", "not enough values to unpack (expected 2, got 1)", unpacked=seen)
    )
    assert told is not None
    assert told.title == "`x, y` take 2 values, and `load` gives fewer"
