"""Where data get another shape, or are turned."""

import pytest

from stetho.capture.text.rearranged import reshaped_at, turned_at

FORWARD = "class Net:\n    def forward(self, x):\n        return x.view(8, 3)\n"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("x = x.view(-1, c, 8)\n" + FORWARD, 1),
        ("x = x.reshape(-1)\ny = (\n    x.float()\n    .reshape((5, 8))\n)\n" + FORWARD, 4),
        ("x = x.view(-1, 8, 8)\ny = y.view(-1, 3, 8, 8)\n" + FORWARD, 2),
        ("x = x.view(-1, 8, 8)\ny = y.view(-1, 8, 9)\n" + FORWARD, None),
        (FORWARD, None),
    ],
)
def test_the_one_reshape_outside_of_models_is_found(tmp_path, text, line):
    file = tmp_path / "train.py"
    file.write_text(text)
    assert reshaped_at(str(file), 3) == (f"{file}:{line}" if line else None)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("x = 1\nx = x.flip(-1)\nm = m.flip(-1)\n", 2),
        ("\nx = x[:, ::-1]\n", 2),
        ("def f(x):\n    return np.fliplr(x)\n", 2),
        ("aug = RandomHorizontalFlip()\n", 1),
        ("x = np.rot90(x)\nif random.random() < 0.5:\n    x = x[:, ::-1]\n", 3),
        ("x = np.rot90(x)\ndef augment(x):\n    return x.flip(1)\n", 3),
        ("class Net:\n    def forward(self, x):\n        return x.flip(1)\nx = x[::2]\n", None),
    ],
)
def test_the_place_where_something_is_turned_at_random_is_found_before_others(tmp_path, text, line):
    file = tmp_path / "train.py"
    file.write_text(text)
    assert turned_at(str(file)) == (f"{file}:{line}" if line else None)
