"""Lists of a data set, of which only one is put in order."""

import ast

import pytest

from stetho.capture.text.sampled import reordered_in

CLASS = """class Scans:
    def __init__(self, root, table):
        names = table["name"]
        self.files = {files}
        self.labels = {labels}

    def __getitem__(self, i):
        return load(self.files[i]), self.labels[{index}]
"""


def lines(files: str, labels: str = "[int(each) for each in table]", index: str = "i") -> list[int]:
    (made,) = ast.parse(CLASS.format(files=files, labels=labels, index=index)).body
    return list(reordered_in(made))


@pytest.mark.parametrize("files", ["sorted(root.glob('*.png'))", "[f for f in sorted(root.iterdir())]"])
def test_finds_files_in_the_order_of_their_names_beside_labels_of_a_table(files: str) -> None:
    assert lines(files) == [4]


@pytest.mark.parametrize(
    ("files", "labels"),
    [
        ("list(root.glob('*.png'))", "list(table)"),
        ("sorted(root.glob('*.png'), key=number)", "list(table)"),
        ("sorted(root.glob('*.png'))", "[label_of(f) for f in self.files]"),
        ("sorted(root.glob('*.png'))", "sorted(table)"),
    ],
)
def test_stays_quiet_where_lists_are_in_one_order(files: str, labels: str) -> None:
    assert lines(files, labels) == []


def test_stays_quiet_where_the_other_is_asked_by_name() -> None:
    assert lines("sorted(root.glob('*.png'))", index="self.files[i].name") == []


def test_a_class_that_is_no_data_set_says_nothing() -> None:
    (made,) = ast.parse("class Plain:\n    def __init__(self):\n        self.a = sorted(b)\n").body
    assert list(reordered_in(made)) == []
