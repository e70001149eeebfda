"""Where data lose their fractions on the way to the model."""

from pathlib import Path

import pytest

from stetho.capture.text.floored import floored_at, floored_before


@pytest.mark.parametrize(
    ("written", "is_cut"),
    [
        ("images // 255", True),
        ("(images / 255).astype(np.uint8)", True),
        ("(images / 255).byte()", True),
        ("torch.tensor(images / 255, dtype=torch.long)", True),
        ("images / 255", False),
        ("images.astype(np.int64)", False),
        ("(images / 255).astype(np.float32)", False),
    ],
)
def test_finds_the_line_that_cuts_fractions_off(tmp_path: Path, written: str, is_cut: bool) -> None:
    file = tmp_path / "program.py"
    file.write_text(f"images = {written}\nx = torch.tensor(images).float()\nout = model(x)\n")
    wanted = f"{file}:1" if is_cut else None
    assert floored_at(f"{file}:2") == wanted
    assert floored_before(f"{file}:3") == wanted
