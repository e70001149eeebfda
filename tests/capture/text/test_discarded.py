"""Results that are left lying in the text of a program."""

import pytest

from stetho.capture.text.discarded import discarded_at, discarded_text

PROGRAM = """class Net(nn.Module):
    def {method}(self, x, mask):
        {statement}
        return self.body(x)

x + 1
"""


@pytest.fixture
def found(tmp_path):
    def read(statement, method="forward"):
        file = tmp_path / f"{abs(hash(statement + method))}.py"
        file.write_text(PROGRAM.format(statement=statement, method=method))
        line = discarded_at(str(file))
        return (int(line.rpartition(":")[2]), discarded_text(line)) if line is not None else None

    return read


@pytest.mark.parametrize(
    "statement",
    ["x + self.pe[:, :x.size(1)]", "x / 255.0", "x.masked_fill(mask, -9.0)", "F.relu(x)", "torch.clamp(x, 0, 1)"],
)
def test_finds_what_is_computed_and_not_kept(found, statement):
    assert found(statement) == (3, statement)


@pytest.mark.parametrize("method", ["__getitem__", "__call__"])
def test_reads_data_sets_and_transforms_too(found, method):
    assert found("x - x.mean()", method) is not None


@pytest.mark.parametrize(
    "statement",
    [
        "x = x + 1",
        "x += self.pe",
        "x.clamp_(0, 1)",
        "F.relu(x, inplace=True)",
        "torch.clamp(x, 0, 1, out=x)",
        "self.relu(x)",
        "self.norm.train()",
        "path | other",
        '"a text"',
        "try: x + mask\n        except TypeError: pass",
    ],
)
def test_stays_quiet_on_what_has_an_effect_or_may_have_one(found, statement):
    assert found(statement) is None


def test_stays_quiet_outside_of_what_is_called_for_a_result(found):
    assert found("x + mask", "measure") is None
    assert discarded_at("gone.py") is None


def test_a_long_text_is_cut(found):
    _, text = found(" + ".join(["x"] * 50))
    assert text.endswith("…")
