import pytest

from stetho.checks.declare import Skip
from stetho.checks.loop.optimizer_made_anew import optimizer_made_anew
from stetho.checks.run.facts import Group, Optimizer
from stetho.findings.finding import Finding
from stetho.testing import make_window


def judge(remade: int, kind: str = "SGD", *, steps: int = 100, **settings: object) -> Finding | None:
    optimizer = Optimizer(0, kind, "train.py:7", (Group({"lr": 0.1, **settings}),), remade)
    return optimizer_made_anew(make_window(steps=steps, optimizers=[optimizer]))


@pytest.mark.parametrize(
    ("kind", "settings", "lost"),
    [
        ("SGD", {"momentum": 0.9}, "momentum of 0.9"),
        ("Adam", {"betas": [0.9, 0.999]}, "average"),
        ("RMSprop", {"alpha": 0.99, "momentum": 0}, "average"),
    ],
)
def test_finds_a_memory_that_is_lost_in_each_step(kind: str, settings: dict[str, object], lost: str) -> None:
    finding = judge(99, kind, **settings)
    assert (finding.where.line, "99 times in 100 steps" in finding.title, lost in finding.title) == (7, True, True)


def test_stays_quiet_where_an_optimizer_lives_on() -> None:
    assert judge(0, momentum=0.9) is None
    assert judge(9, momentum=0.9) is None
    assert judge(30, momentum=0.9) is None


def test_takes_the_steps_of_the_optimizer_alone() -> None:
    fleeting = Optimizer(1, "Adam", "train.py:9", (Group({"betas": [0.9, 0.999]}),), 49)
    steady = Optimizer(0, "Adam", "train.py:7", (Group({"betas": [0.9, 0.999]}),))
    window = make_window(steps=100, optimizers=[steady, fleeting], step={"optimizer": [0, 1] * 50})
    assert "49 times in 50 steps" in optimizer_made_anew(window).title


@pytest.mark.parametrize(("kind", "settings"), [("SGD", {"momentum": 0}), ("LBFGS", {"history_size": 10})])
def test_skips_optimizers_without_a_memory(kind: str, settings: dict[str, object]) -> None:
    with pytest.raises(Skip):
        judge(99, kind, **settings)


def test_skips_a_run_without_steps() -> None:
    with pytest.raises(Skip):
        judge(99, steps=0, momentum=0.9)
