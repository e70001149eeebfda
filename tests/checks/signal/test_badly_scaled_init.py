import numpy as np
import pytest

from stetho.checks.declare import Skip
from stetho.checks.run.facts import Edge
from stetho.checks.run.series import Series
from stetho.checks.signal.badly_scaled_init import badly_scaled_init
from stetho.testing import make_window

DEEP = {f"fc{place}": "Linear(in_features=16, out_features=16, bias=True)" for place in range(6)}


def sizes(rms: float) -> dict[tuple[str, str], float]:
    return {(f"fc{place}.weight", "param.rms"): rms for place in range(6)}


@pytest.mark.parametrize(("rms", "word"), [(2.0, "large"), (0.001, "small")])
def test_finds_weights_of_the_wrong_size(rms: float, word: str) -> None:
    finding = badly_scaled_init(make_window(layers=DEEP, stats=sizes(rms)))
    assert finding.severity == "error"
    assert f"6 of 6 weights begin too {word}" in finding.title


def test_stays_quiet_on_usual_sizes() -> None:
    assert badly_scaled_init(make_window(layers=DEEP, stats=sizes(0.15))) is None


def test_stays_quiet_on_one_small_layer() -> None:
    assert badly_scaled_init(make_window(layers=DEEP, stats={("fc5.weight", "param.rms"): 0.001})) is None


def test_stays_quiet_where_the_program_scales_itself() -> None:
    edges = [Edge(f"fc{place}", f"fc{place + 1}", ("Mul", "Sin")) for place in range(5)]
    assert badly_scaled_init(make_window(layers=DEEP, stats=sizes(0.001), edges=edges)) is None


def test_stays_quiet_before_normalisation() -> None:
    layers = {"a": "Linear(16, 16)", "n1": "LayerNorm(16)", "b": "Linear(16, 16)", "n2": "LayerNorm(16)"}
    stats = {("a.weight", "param.rms"): 0.001, ("b.weight", "param.rms"): 0.001}
    assert badly_scaled_init(make_window(layers=layers, stats=stats)) is None


def test_skips_single_layers_and_late_measures() -> None:
    with pytest.raises(Skip, match="2 weights"):
        badly_scaled_init(make_window(layers={"fc": "Linear(8, 8)"}))
    late = {key: Series(np.array([50]), np.array([2.0])) for key in sizes(2.0)}
    with pytest.raises(Skip, match="first step"):
        badly_scaled_init(make_window(layers=DEEP, stats=late))


def test_stays_quiet_on_small_weights_side_by_side() -> None:
    heads = [Edge("fc0", f"fc{place}") for place in range(1, 6)]
    small = sizes(0.001) | {("fc0.weight", "param.rms"): 0.2}
    assert badly_scaled_init(make_window(layers=DEEP, stats=small, edges=heads)) is None


@pytest.mark.parametrize(("right", "is_found"), [(52, True), (85, True), (97, False)])
def test_where_all_was_lost_a_part_of_the_error_stays(right, is_found) -> None:
    answers = {"label_counts": [[50, 50]] * 60, "correct": right, "counted": 100}
    edges = [Edge(f"fc{place}", f"fc{place + 1}") for place in range(5)]
    window = make_window(layers=DEEP, stats=sizes(0.02), batch=answers, eval_batch={"label_counts": None}, edges=edges)
    assert (badly_scaled_init(window) is not None) == is_found


@pytest.mark.parametrize(("right", "ops", "is_found"), [(52, (), True), (95, (), False), (52, ("Add",), False)])
def test_weights_that_leave_nothing_together_are_found_where_nothing_was_learnt(right, ops, is_found) -> None:
    answers = {"label_counts": [[50, 50]] * 60, "correct": right, "counted": 100}
    none = {"label_counts": None}
    edges = [Edge(f"fc{place}", f"fc{place + 1}", ops if place == 4 else ()) for place in range(5)]
    window = make_window(layers=DEEP, stats=sizes(0.03), batch=answers, eval_batch=none, edges=edges)
    assert (badly_scaled_init(window) is not None) == is_found
