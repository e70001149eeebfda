"""Checkpoints. Each error is made by really running torch."""

from typing import Any

import pytest

CASES = {
    "names_and_sizes_that_differ": (
        "state-dict",
        """
        net = nn.Sequential(nn.Linear(2, 3))
        net.load_state_dict({'0.weight': torch.zeros(4, 2), 'extra': torch.zeros(1)})
        """,
        "does not fit Sequential: 1 missing, 1 unexpected, 1 of another size",
        "`0.bias`",
        "`extra`",
        "`0.weight` is [4, 2] in the file, [3, 2] in the model",
        "strict=False",
    ),
    "names_with_a_prefix": (
        "state-dict",
        """
        net = nn.Linear(2, 3)
        net.load_state_dict({'module.' + name: value for name, value in net.state_dict().items()})
        """,
        "key.removeprefix('module.')",
    ),
    "another_number_of_parameters": (
        "optimizer-state",
        """
        one = torch.optim.SGD(nn.Linear(1, 1).parameters(), lr=0.1)
        other = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=0.1)
        one.load_state_dict(other.state_dict())
        """,
        "another number of parameters",
    ),
    "a_file_that_holds_objects": (
        "unsafe-checkpoint",
        """
        import argparse, io
        file = io.BytesIO()
        torch.save(argparse.Namespace(x=1), file)
        file.seek(0)
        torch.load(file)
        """,
        "argparse.Namespace",
        "safe_globals([argparse.Namespace])",
        "weights_only=False",
    ),
    "half_a_file": (
        "damaged-checkpoint",
        """
        import io
        torch.load(io.BytesIO(b'PK' + bytes([3, 4]) + b'abc'))
        """,
        "cut short",
    ),
    "a_file_of_several_parts": (
        "state-dict",
        """
        net = nn.Linear(4, 4)
        saved = {"epoch": 3, "model_state_dict": net.state_dict(), "best_score": 0.9}
        net.load_state_dict(saved)
        """,
        "`['model_state_dict']` of what was loaded",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_explains(case: str, unsaid: Any) -> None:
    assert unsaid(*CASES[case]) == []
