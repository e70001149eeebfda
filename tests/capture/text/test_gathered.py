"""Where rows are put together one by one."""

import pytest

from stetho.capture.text.gathered import gathered_at

PROGRAM = """def windows(series):
    xs, ys = [], []
    for i in range(9):
        xs.append(series[i : i + 3])
        ys.append(series[i + 3])
    x = torch.tensor(np.array(xs)).float()
    return x, torch.stack(ys)
"""


@pytest.mark.parametrize(("line", "found"), [(6, 4), (7, 5), (5, None)])
def test_a_list_that_one_line_adds_to_is_gathered_there(tmp_path, line, found):
    file = tmp_path / "windows.py"
    file.write_text(PROGRAM)
    assert gathered_at(f"{file}:{line}") == (f"{file}:{found}" if found else None)


def test_several_lines_and_none_say_nothing(tmp_path):
    file = tmp_path / "twice.py"
    file.write_text("xs = []\nxs.append(1)\nxs.append(2)\nx = array(xs)\ny = array(z)\n")
    assert [gathered_at(f"{file}:{line}") for line in (4, 5)] == [None, None]
