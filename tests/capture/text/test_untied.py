"""Where weights are copied instead of shared."""

from pathlib import Path

import pytest

from stetho.capture.text.untied import untied_at


@pytest.mark.parametrize(
    ("written", "is_found"),
    [
        ("self.head.weight.data.copy_(self.words.weight.data)", True),
        ("self.head.weight = nn.Parameter(self.words.weight.clone())", True),
        ("self.head.weight.data = self.words.weight.data", True),
        ("head.load_state_dict(words.state_dict())", True),
        ("self.head.weight = self.words.weight", False),
        ("self.head.weight.data.copy_(torch.randn(3, 4))", False),
        ("self.body.weight.data.copy_(self.words.weight.data)", False),
    ],
)
def test_finds_the_line_of_the_copy(tmp_path: Path, written: str, is_found: bool) -> None:
    file = tmp_path / "program.py"
    file.write_text(f"import torch\n{written}\n")
    assert untied_at(str(file), "words", "net.head") == (f"{file}:2" if is_found else None)
