"""The line that squashes, in the text of a program."""

import pytest

from stetho.capture.text.squashed import squashed_at


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("x = y\nx = torch.sigmoid(x)", 2),
        ("x = x.tanh()", 1),
        ("x = tanh(x)\ny = sigmoid(x)", None),
        ("x = relu(x)", None),
        ("x = ", None),
    ],
)
def test_names_the_only_line(tmp_path, text, line):
    file = tmp_path / f"{abs(hash(text))}.py"
    file.write_text(text)
    assert squashed_at(str(file)) == (f"{file}:{line}" if line else None)
