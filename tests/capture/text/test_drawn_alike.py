"""Negatives that are drawn as positives are, in the text of a program."""

import pytest

from stetho.capture.text.drawn_alike import drawn_alike_at

PROGRAM = """class Triplets(Dataset):
    def __getitem__(self, i):
        label = self.labels[i]
        positive = {positive}
        negative = {negative}
        {more}
        return self.x[i], positive, negative
"""


@pytest.fixture
def found(tmp_path):
    def read(positive, negative, more="pass"):
        file = tmp_path / f"{abs(hash(positive + negative + more))}.py"
        file.write_text(PROGRAM.format(positive=positive, negative=negative, more=more))
        line = drawn_alike_at(str(file))
        return int(line.rpartition(":")[2]) if line is not None else None

    return read


@pytest.mark.parametrize(
    ("positive", "negative"),
    [
        ("random.choice(self.by_class[label])", "random.choice(self.by_class[label])"),
        ("self.x[np.random.choice(self.by_class[label])]", "self.x[random.choice(self.by_class[label])]"),
    ],
)
def test_finds_both_drawn_from_one_group(found, positive, negative):
    assert found(positive, negative) == 5


@pytest.mark.parametrize(
    ("positive", "negative"),
    [
        ("random.choice(self.by_class[label])", "random.choice(self.by_class[other])"),
        ("random.choice(self.rows)", "random.choice(self.rows)"),
        ("random.choice(self.rows[1:])", "random.choice(self.rows[1:])"),
        ("random.randrange(len(self.x))", "random.randrange(len(self.x))"),
    ],
)
def test_stays_quiet_on_other_groups_and_on_what_is_drawn_of_all(found, positive, negative):
    assert found(positive, negative) is None


def test_stays_quiet_where_a_negative_is_drawn_again(found):
    draw = "random.choice(self.by_class[label])"
    assert found(draw, draw, "negative = self.other(negative)") is None
    assert drawn_alike_at("gone.py") is None
