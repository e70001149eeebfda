"""Lines that change something in place are told from those that do not."""

from pathlib import Path

from stetho.capture.in_place import in_place_lines, lines_changing_results

CODE = """
x = x + 1
x += y
count += 1
x[0] = 1
y = x.relu_()
nn.init.xavier_uniform_(w)
nn.init.ones_(w)
w.requires_grad_()
return_ = x.clone()
"""


def test_finds_the_lines(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(CODE)
    assert [made.code for made in in_place_lines(str(tmp_path / "a.py"))] == ["x += y", "x[0] = 1", "y = x.relu_()"]


def test_adding_a_number_is_a_change_where_the_name_is_that_of_a_tensor(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("count += 1\nx += 1\n")
    assert [made.code for made in in_place_lines(str(tmp_path / "a.py"), {"x"})] == ["x += 1"]


def test_a_file_that_is_gone_has_none(tmp_path: Path) -> None:
    assert list(in_place_lines(str(tmp_path / "gone.py"))) == []


RESULTS = """
def forward(x, states):
    h = torch.tanh(x)
    states[:, 0] = h
    h += 0.1
    g = F.log_softmax(x, -1)
    g[0] = 0
    h.div_(2)
    return h

def other(h):
    h += 1
"""


def test_of_a_known_operation_only_changes_of_its_results_are_told(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(RESULTS)
    found = {name: [made.code for made in lines_changing_results(str(tmp_path / "a.py"), name)]
             for name in ("Tanh", "LogSoftmax", "Add", "Exp")}  # fmt: skip
    assert found == {
        "Tanh": ["h += 0.1", "h.div_(2)"],
        "LogSoftmax": ["g[0] = 0"],
        "Add": ["h += 0.1", "h.div_(2)", "h += 1"],
        "Exp": [],
    }
