"""The original of a copied layer is found in the text of the program."""

from pathlib import Path

import pytest

from stetho.capture.text.copied import copied_from

PROGRAM = """\
class Net(Module):
    def __init__(self):
        layer = nn.TransformerEncoderLayer(8, 2)
        self.encoder = nn.TransformerEncoder(layer, num_layers=2)
        self.block = Block(8)
        self.blocks = nn.ModuleList(copy.deepcopy(self.block) for _ in range(3))
        self.decoder = nn.TransformerEncoder(encoder_layer=nn.TransformerEncoderLayer(8, 2), num_layers=2)
"""


@pytest.mark.parametrize(
    ("line", "kind", "made"),
    [(4, "TransformerEncoderLayer", 3), (6, "Block", 5), (7, "TransformerEncoderLayer", None), (4, "Linear", None)],
)
def test_a_copy_is_followed_to_its_original(tmp_path: Path, line: int, kind: str, made: int | None) -> None:
    file = tmp_path / "net.py"
    file.write_text(PROGRAM)
    assert copied_from(f"{file}:{line}", kind) == (f"{file}:{made}" if made else None)


def test_no_text_tells_nothing() -> None:
    assert copied_from("<stdin>:3", "Linear") is None
