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


def test_a_view_in_a_method_of_the_module_is_found(tmp_path: Path) -> None:
    file = tmp_path / "net.py"
    file.write_text(
        "class Net(Module):\n"
        "    def split(self, x):\n"
        "        return x.view(2, self.heads, -1)\n"
        "    def forward(self, x):\n"
        "        q, k = self.split(self.query(x)), self.split(self.key(x))\n"
        "        return self.out(q @ k)\n"
    )
    assert viewed_at(f"{file}:6") == f"{file}:3"
