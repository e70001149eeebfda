from stetho.checks.mechanisms.drawn import drawn_without_gradient
from stetho.checks.run.facts import Edge, Layer, LossGraph, Parameter
from stetho.testing import make_window

ENCODER = [Edge("(input)", "body"), Edge("body", "mean"), Edge("body", "scale")]
NAMES = ("body", "mean", "scale", "decoder", "out")
CUT = [*ENCODER, Edge("(detached)", "decoder"), Edge("decoder", "out")]


def variational(edges: list[Edge], nats: tuple[float, ...] = (0.4, 0.1), condition: bool = False):  # type: ignore[no-untyped-def]
    names = (*NAMES, "condition") if condition else NAMES
    reached = tuple(f"{name}.weight" for name in names)
    return make_window(
        layers=[Layer(name, "Linear") for name in names],
        parameters=[Parameter(each, each.removesuffix(".weight")) for each in reached],
        edges=edges,
        loss_graphs=[LossGraph("train.py:32", reached=reached, nats=nats)],
        lines={"drawn": ["train.py:20"]},
    )


def test_finds_a_decoder_whose_input_has_no_history() -> None:
    found = drawn_without_gradient(variational(CUT))
    assert found.where.line == 20
    assert "mean and scale" in found.title


def test_finds_a_code_that_torch_normal_draws() -> None:
    drawn = [Edge("mean", "decoder", ("NormalBackward3",)), Edge("scale", "decoder", ("NormalBackward3", "Exp"))]
    found = drawn_without_gradient(variational([*ENCODER, *drawn, Edge("decoder", "out")]))
    assert found.title.startswith("decoder takes")


def test_stays_quiet_where_the_decoder_reads_the_code() -> None:
    ways = [Edge("mean", "decoder", ("Add",)), Edge("scale", "decoder", ("Add", "Mul")), Edge("decoder", "out")]
    assert drawn_without_gradient(variational([*ENCODER, *ways])) is None


def test_stays_quiet_on_a_condition_beside_the_code() -> None:
    beside = [Edge("mean", "decoder"), Edge("(detached)", "condition"), Edge("condition", "decoder")]
    ways = [*ENCODER, *beside, Edge("decoder", "out")]
    assert drawn_without_gradient(variational(ways, condition=True)) is None


def test_stays_quiet_without_a_divergence() -> None:
    assert drawn_without_gradient(variational(CUT, nats=())) is None
