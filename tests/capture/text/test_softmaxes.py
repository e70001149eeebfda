"""Where a softmax is written."""

from pathlib import Path

import pytest

from stetho.capture.text.softmaxes import softmax_at

FORWARD = "def forward(x):\n    a = torch.softmax(x, {axis})\n    b = a.sum(1)\n    return out(b)\n"
BLOCK = "def forward(x):\n    q = qkv(x)\n    return scaled_dot_product_attention(q, q, q)\n"


@pytest.mark.parametrize(
    ("program", "at", "over_first", "wanted"),
    [
        (FORWARD.format(axis="-1"), 4, False, 2),
        (FORWARD.format(axis="-1"), 4, True, None),
        (FORWARD.format(axis="0"), 4, True, 2),
        (FORWARD.format(axis="dim=0"), 4, True, 2),
        ("a = x.softmax(0)\ny = out(a)\n", 2, True, 1),
        ("a = F.softmax(x, dim=axis)\ny = out(a)\n", 2, True, None),
        (BLOCK, 2, False, 3),
        (BLOCK + "y = head(model(x))\n", 4, False, 3),
        (FORWARD.format(axis="1") + BLOCK.replace("forward", "other") + "y = head(x)\n", 8, False, None),
        ("y = head(x)\n", 1, False, None),
    ],
)
def test_finds_the_softmax(tmp_path: Path, program: str, at: int, over_first: bool, wanted: int | None) -> None:
    file = tmp_path / "program.py"
    file.write_text(program)
    assert softmax_at(f"{file}:{at}", over_first) == (f"{file}:{wanted}" if wanted is not None else None)
