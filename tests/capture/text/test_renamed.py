"""Where the keys of a state are made anew is found in the text of the program."""

from pathlib import Path

import pytest

from stetho.capture.text.renamed import renamed_at

PROGRAM = """\
def strip(state):
    return {name.replace("encoder.", ""): value for name, value in state.items()}

def load(net, state):
    fixed = OrderedDict()
    for key, value in state.items():
        fixed[key[7:]] = value
    net.load_state_dict(fixed, strict=False)

fitting = {name: value for name, value in saved.items() if name in own}
net.load_state_dict(fitting, strict=False)
net.load_state_dict(strip(saved), strict=False)
net.load_state_dict(torch.load(path))
weights = {"body." + name: value
           for name, value in saved.items()}
net.load_state_dict(strict=False, state_dict=weights)
"""


@pytest.mark.parametrize(("line", "made"), [(8, 7), (11, None), (12, 2), (13, None), (16, 14)])
def test_keys_are_followed_to_where_they_are_renamed(tmp_path: Path, line: int, made: int | None) -> None:
    file = tmp_path / "load.py"
    file.write_text(PROGRAM)
    assert renamed_at(f"{file}:{line}") == (f"{file}:{made}" if made else None)
