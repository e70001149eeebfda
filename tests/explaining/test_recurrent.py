"""Recurrent layers. Each error is made by really running torch."""

from typing import Any

import pytest

CASES = {
    "another_number_of_features": (
        "recurrent-input",
        """
        rnn = nn.LSTM(10, 20)
        x = torch.rand(5, 3, 8)
        rnn(x)
        """,
        "`rnn` (LSTM) takes 10 features",
        "got 8",
        "[time, batch, features]",
        "nn.LSTM(8, 20, …)",
    ),
    "features_in_another_axis": (
        "recurrent-input",
        """
        rnn = nn.GRU(10, 20, batch_first=True)
        x = torch.rand(5, 10, 8)
        rnn(x)
        """,
        "`x.transpose(1, -1)`",
        "[batch, time, features]",
    ),
    "too_many_axes": (
        "recurrent-axes",
        """
        nn.LSTM(10, 20)(torch.rand(5, 3, 8, 2))
        """,
        "4 axes",
        "flatten(2)",
    ),
    "a_hidden_state_of_another_batch": (
        "recurrent-hidden",
        """
        rnn = nn.LSTM(10, 20)
        h = torch.zeros(1, 2, 20)
        rnn(torch.rand(5, 3, 10), (h, h))
        """,
        "[1, 3, 20], and got [1, 2, 20]: the batch differs",
        "torch.zeros(1, 3, 20)",
        "batch_first=True",
    ),
    "a_hidden_state_of_another_size": (
        "recurrent-hidden",
        """
        rnn = nn.GRU(10, 20)
        rnn(torch.rand(5, 3, 10), torch.zeros(1, 3, 10))
        """,
        "the hidden size differs",
    ),
    "a_hidden_state_with_an_axis_less": (
        "recurrent-hidden-axes",
        """
        nn.GRU(10, 20)(torch.rand(5, 3, 10), torch.zeros(3, 20))
        """,
        "3 axes",
        "hidden state of 2",
        "[layers, batch, hidden size]",
    ),
    "a_cell_with_other_features": (
        "recurrent-cell-input",
        """
        cell = nn.LSTMCell(10, 20)
        cell(torch.rand(3, 8))
        """,
        "`cell` (LSTMCell) takes 10 features, and got 8",
        "nn.LSTMCell(8, 20)",
    ),
    "a_double_input": (
        "recurrent-type",
        """
        rnn = nn.LSTM(3, 8)
        x = torch.zeros(2, 3, 3).double()
        rnn(x)
        """,
        "float32",
        "float64",
        "`x.to(torch.float32)`",
    ),
    "lengths_out_of_order": (
        "packed-order",
        """
        nn.utils.rnn.pack_padded_sequence(torch.zeros(3, 2, 1), torch.tensor([1, 3]))
        """,
        "enforce_sorted=False",
    ),
    "an_empty_sequence": (
        "packed-empty",
        """
        nn.utils.rnn.pack_padded_sequence(torch.zeros(3, 2, 1), torch.tensor([3, 0]))
        """,
        "length 0",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_explains(case: str, unsaid: Any) -> None:
    assert unsaid(*CASES[case]) == []
