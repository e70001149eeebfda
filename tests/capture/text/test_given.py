"""Values are followed from the call back to where somebody wrote them."""

from pathlib import Path

import pytest

from stetho.capture.text.given import given_at, keeps_at

CASES = {
    "a literal in the call": ("optimizer = SGD(weights, lr=5.0)", 1, 1),
    "a literal on a line of its own": ("optimizer = SGD(\n    weights,\n    lr=5.0,\n)", 1, 3),
    "a literal without a name": ("optimizer = torch.optim.SGD(weights, 5.0)", 1, 1),
    "a constant": ("RATE = 5.0\noptimizer = SGD(weights, lr=RATE)", 2, 1),
    "a constant of a constant": ("BASE = 5.0\nRATE = BASE\noptimizer = SGD(weights, RATE)", 3, 1),
    "several constants at once": ("A, RATE = 1, 5.0\noptimizer = SGD(weights, RATE)", 2, 1),
    "an expression": ("BASE = 5.0\nRATE = BASE * 3\noptimizer = SGD(weights, lr=RATE)", 3, 2),
    "a dictionary": (
        'config = {\n    "epochs": 3,\n    "lr": 5.0,\n}\noptimizer = SGD(weights, lr=config["lr"])',
        5,
        3,
    ),
    "a dictionary by name": ("config = dict(epochs=3, lr=5.0)\noptimizer = SGD(weights, lr=config['lr'])", 2, 1),
    "a dictionary that is spread": ('options = {"lr": 5.0}\noptimizer = SGD(weights, **options)', 2, 1),
    "a group": ('RATE = 0.0\noptimizer = SGD([\n    {"params": weights, "lr": RATE},\n])', 2, 1),
    "a field": ("class Config:\n    lr: float = 5.0\ndef fit(c):\n    return SGD(weights, lr=c.lr)", 4, 2),
    "a field given": (
        "class Config:\n    lr: float = 1.0\nc = Config(lr=5.0)\noptimizer = SGD(weights, lr=c.lr)",
        4,
        3,
    ),
    "an option": ('parser.add_argument("--lr", type=float, default=5.0)\noptimizer = SGD(weights, lr=args.lr)', 2, 1),
    "an argument": ("def fit(lr):\n    return SGD(weights, lr=lr)\n\nfit(5.0)", 2, 4),
    "a named argument": ("def fit(model, *, lr=1.0):\n    return SGD(weights, lr=lr)\n\nfit(net, lr=5.0)", 2, 4),
    "a default": ("def fit(model, lr=5.0):\n    return SGD(weights, lr=lr)\n\nfit(net)", 2, 1),
    "an attribute": (
        "class Trainer:\n    def __init__(self, lr):\n        self.lr = lr\n"
        "    def fit(self):\n        self.optimizer = SGD(weights, lr=self.lr)\n\nTrainer(lr=5.0).fit()",
        5,
        7,
    ),
    "a constant below the function": ("def fit():\n    return SGD(weights, lr=RATE)\n\nRATE = 5.0\nfit()", 2, 4),
}


@pytest.mark.parametrize(("text", "called", "written"), CASES.values(), ids=CASES)
def test_a_value_is_followed_to_where_it_is_written(text: str, called: int, written: int, tmp_path: Path) -> None:
    file = tmp_path / "train.py"
    file.write_text(text)
    assert given_at(f"{file}:{called}", "lr", callee="SGD", position=1) == f"{file}:{written}"


AMBIGUOUS = {
    "two callers": ("def fit(lr):\n    return SGD(weights, lr=lr)\n\nfit(5.0)\nfit(1.0)", 2),
    "two settings": ("class A:\n    lr = 1\nclass B:\n    lr = 2\noptimizer = SGD(weights, lr=c.lr)", 5),
    "a loop": ("for rate in (1, 2):\n    optimizer = SGD(weights, lr=rate)", 2),
    "itself": ("lr = lr\noptimizer = SGD(weights, lr=lr)", 2),
}


@pytest.mark.parametrize(("text", "called"), AMBIGUOUS.values(), ids=AMBIGUOUS)
def test_what_cannot_be_told_stays_at_the_call(text: str, called: int, tmp_path: Path) -> None:
    file = tmp_path / "train.py"
    file.write_text(text)
    found = given_at(f"{file}:{called}", "lr", callee="SGD", position=1)
    assert found in (f"{file}:{called}", f"{file}:1" if text.startswith("lr") else None)


def test_an_option_that_the_command_line_gives_is_not_its_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "train.py"
    file.write_text('parser.add_argument("--lr", default=5.0)\noptimizer = SGD(weights, lr=args.lr)')
    monkeypatch.setattr("sys.argv", ["train.py", "--lr=3"])
    assert given_at(f"{file}:2", "lr") == f"{file}:2"


def test_positions_count_only_in_a_call_of_the_right_name(tmp_path: Path) -> None:
    file = tmp_path / "train.py"
    file.write_text("optimizer = build(weights, 5.0)")
    assert given_at(f"{file}:1", "lr", callee="SGD", position=1) is None


def test_of_several_calls_the_one_with_the_value_is_meant(tmp_path: Path) -> None:
    file = tmp_path / "train.py"
    file.write_text("WIDTH = 64\nCODE = 1\nnet = Sequential(Linear(9, WIDTH), Linear(WIDTH, CODE), Linear(CODE, 9))")
    where = [given_at(f"{file}:3", "out_features", callee="Linear", position=1, value=v) for v in (64.0, 1.0, 9.0, 5.0)]
    assert where == [f"{file}:1", f"{file}:2", f"{file}:3", None]


@pytest.mark.parametrize(
    ("text", "keeps"),
    [
        ("d = Dropout(keep_prob)", True),
        ("d = Dropout(p=cfg.dropout_keep_prob)", True),
        ("d = Dropout(1 - keep_prob)", False),
        ("d = Dropout(upkeep)", False),
        ("d = Dropout(0.95)", False),
    ],
)
def test_a_share_to_keep_is_known_by_its_name(text: str, keeps: bool, tmp_path: Path) -> None:
    file = tmp_path / "net.py"
    file.write_text(text)
    assert keeps_at(f"{file}:1") is keeps
