"""Keys that a mapping does not have. Each error is made by really asking for one."""

from typing import Any

import pytest

from stetho.explaining.mappings import missing_key
from stetho.explaining.scene import Scene

CASES = {
    "a_key_that_is_called_otherwise": (
        "missing-key",
        """
        batch = {"input": torch.rand(2), "target": torch.rand(2)}
        loss = (batch["inputs"] - batch["target"]).sum()
        """,
        "`batch` has no 'inputs'",
        "'input', 'target'",
        "`batch['input']`",
    ),
    "a_key_of_an_empty_mapping": (
        "missing-key",
        """
        class Trainer:
            def __init__(self):
                self.options = {}
            def rate(self):
                return self.options["lr"]
        Trainer().rate()
        """,
        "`self.options` has no 'lr': it is empty",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_explains(case: str, unsaid: Any) -> None:
    assert unsaid(*CASES[case]) == []


def test_a_mapping_that_cannot_be_seen_is_not_spoken_of() -> None:
    assert missing_key.explain(Scene("KeyError", "'lr'")) is None
