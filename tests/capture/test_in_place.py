"""Lines that change something in place are told from those that do not."""

from pathlib import Path

from stetho.capture.in_place import in_place_lines

CODE = """
x = x + 1
x += y
count += 1
x[0] = 1
y = x.relu_()
nn.init.xavier_uniform_(w)
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
