from stetho.checks.mechanisms.alone import alone
from stetho.checks.run.facts import Between, Edge, Layer, Parameter
from stetho.findings.finding import Finding
from stetho.testing import make_window

PLACES = (32, 20, 1)
LAST = "float32[7, 20, 1]"


def judged(shape: tuple[int, ...] = PLACES, dim: int = 2, gradient: float = 0.0, steps: int = 60) -> Finding | None:
    layers = [
        Layer("fc1", "Linear", constructed="train.py:3", output=LAST),
        Layer("fc2", "Linear", constructed="train.py:4", called="train.py:12",
              between=(Between("Softmax", shape, dim=dim),)),
    ]  # fmt: skip
    return alone(
        make_window(
            steps=steps,
            layers=layers,
            parameters=[Parameter("fc1.weight", (1, 8))],
            edges=[Edge("fc1", "fc2", ("Softmax", "Mul"))],
            stats={("fc1.weight", "grad.absmax"): gradient},
            given={"train.py:12": {"softmax": "train.py:9"}},
        )
    )


def test_finds_scores_that_are_normalised_each_by_itself() -> None:
    found = judged()
    assert "over dimension 2 of [32, 20, 1]" in found.title
    assert (found.where.line, found.where.layer) == (9, "fc1")


def test_stays_quiet_on_places_that_compete() -> None:
    assert judged(dim=1) is None


def test_stays_quiet_where_the_scores_get_a_gradient_or_few_were_looked_at() -> None:
    assert judged(gradient=0.1) is None
    assert judged(steps=5) is None


def test_stays_quiet_on_attention_within_a_sequence_of_one_place() -> None:
    assert judged(shape=(32, 4, 1, 1), dim=3) is None


def attending(shape: tuple[int, ...] = (48, 1, 12), dim: int = 1, ops: tuple[str, ...] = ()) -> Finding | None:
    reader = Layer("fc2", "Linear", called="train.py:12", between=(Between("Softmax", shape, dim=dim),))
    return alone(
        make_window(
            layers=[Layer("cell", "GRUCell"), reader],
            edges=[Edge("cell", "cell", ops or ("Unsqueeze", "Bmm", "MaskedFill", "Softmax", "Bmm", "Cat"))],
            given={"train.py:12": {"softmax": "train.py:9"}},
        )
    )


def test_finds_an_attention_that_is_normalised_over_its_one_question() -> None:
    found = attending()
    assert "all 12 places get the weight 1" in found.title
    assert found.where.line == 9


def test_stays_quiet_on_an_attention_over_the_places_or_to_one_place() -> None:
    assert attending(dim=2) is None
    assert attending(shape=(48, 12, 1), dim=2) is None
    assert attending(shape=(48, 1, 2)) is None


def test_stays_quiet_on_a_softmax_that_weighs_nothing() -> None:
    assert attending(ops=("Softmax", "Mul")) is None
