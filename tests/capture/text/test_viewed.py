"""The view before a layer is found in the text of the program."""

from pathlib import Path

import pytest

from stetho.capture.text.viewed import viewed_at

PROGRAM = """\
class Net(Module):
    def forward(self, x):
        seq = x.reshape(x.size(0), x.size(2), x.size(1))
        out, state = self.lstm(seq)
        wide = out.transpose(1, 2).reshape(8, -1)
        flat = self.wide(wide)
        one, two = flat.view(4, 2), flat.view(2, 4)
        one = torch.relu(one)
        three = flat.view((8, 1))
        self.first(one, three)
        self.second(one)
        self.third(three.view(2, 4))
        self.fourth(three.flatten(1), state)
"""


@pytest.mark.parametrize(("line", "made"), [(4, 3), (6, None), (10, None), (11, 7), (12, None)])
def test_what_a_layer_is_given_is_followed_to_the_view_of_it(tmp_path: Path, line: int, made: int | None) -> None:
    file = tmp_path / "net.py"
    file.write_text(PROGRAM)
    assert viewed_at(f"{file}:{line}") == (f"{file}:{made}" if made else None)
