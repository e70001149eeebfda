"""Events in their step, phase and layer."""

from stetho.profiling.events import BACKWARD_NODE, LAYER, LOADING, MARK, PHASE, UPDATE, Event
from stetho.profiling.placing import Step, place


def placed(*events: Event, end: int = 1000) -> Step:
    (step,) = place([Event(MARK, 0, 0), Event(MARK, end, end), *events])
    return step


def facts(step: Step) -> list[tuple[str, str, tuple[int, ...], int, int]]:
    return [(each.event.name, each.phase, each.path, each.own, each.gap) for each in step.placed]


def test_without_two_marks_there_is_no_step() -> None:
    assert place([Event(MARK, 0, 0), Event("aten::mm", 1, 2)]) == []


def test_layers_inside_of_layers_have_their_own_time() -> None:
    step = placed(Event(f"{LAYER}0", 100, 500), Event(f"{LAYER}1", 200, 300), Event("aten::mm", 210, 260))
    assert facts(step) == [
        (f"{LAYER}0", "forward", (0,), 300, 0),
        (f"{LAYER}1", "forward", (0, 1), 50, 0),
        ("aten::mm", "forward", (0, 1), 50, 0),
    ]
    assert (step.outside, step.before) == (600, 100)


def test_backward_nodes_belong_to_the_layer_of_their_forward_operation_and_take_the_gap_after_them() -> None:
    step = placed(
        Event(f"{LAYER}0", 100, 200),
        Event("aten::relu", 110, 120, sequence=7),
        Event(f"{PHASE}backward", 300, 400),
        Event(f"{BACKWARD_NODE}ReluBackward0", 310, 330, sequence=7, forward_thread=1),
        Event(f"{BACKWARD_NODE}AccumulateGrad", 340, 350),
    )
    assert facts(step)[2:] == [
        (f"{PHASE}backward", "backward", (), 50, 0),
        (f"{BACKWARD_NODE}ReluBackward0", "backward", (0,), 20, 20),
        (f"{BACKWARD_NODE}AccumulateGrad", "backward", (0,), 10, 0),
    ]


def test_a_node_stands_once_though_it_has_two_scopes() -> None:
    step = placed(
        Event(f"{PHASE}backward", 300, 400),
        Event(f"{BACKWARD_NODE}MmBackward0", 310, 350),
        Event("MmBackward0", 315, 345),
        Event("aten::mm", 320, 340),
    )
    assert [(each.name, each.own) for each in step.placed[1:]] == [("MmBackward0", 20), ("aten::mm", 20)]


def test_a_number_belongs_to_the_last_operation_that_shows_it() -> None:
    step = placed(
        Event(f"{LAYER}0", 100, 150),
        Event("aten::empty", 110, 120, sequence=3),
        Event(f"{LAYER}1", 160, 200),
        Event("aten::mm", 170, 180, sequence=3),
        Event(f"{PHASE}backward", 300, 400),
        Event(f"{BACKWARD_NODE}MmBackward0", 310, 330, sequence=3, forward_thread=1),
    )
    assert step.placed[-1].path == (1,)


def test_a_closure_runs_its_passes_inside_of_the_update() -> None:
    step = placed(
        Event(f"{UPDATE}LBFGS.step", 100, 900),
        Event(f"{LAYER}0", 200, 300),
        Event(f"{PHASE}backward", 300, 400),
    )
    assert [(each.phase, each.own) for each in step.placed] == [("optimizer", 600), ("forward", 100), ("backward", 100)]


def test_layers_that_run_again_in_a_backward_pass_belong_to_it() -> None:
    step = placed(Event(f"{PHASE}backward", 100, 400), Event(f"{LAYER}0", 200, 300))
    assert [each.phase for each in step.placed] == ["backward", "backward"]


def test_nodes_in_a_thread_of_the_engine_take_their_time_from_the_call() -> None:
    step = placed(
        Event(f"{PHASE}backward", 100, 400), Event(f"{BACKWARD_NODE}MmBackward0", 150, 350, thread=2, sequence=1)
    )
    assert [each.own for each in step.placed] == [100, 200]


def test_threads_of_the_program_beside_its_steps_are_left_out() -> None:
    assert placed(Event("aten::mm", 100, 200, thread=9)).placed == []


def test_what_a_loader_does_is_no_operation() -> None:
    step = placed(Event(f"{LOADING}_SingleProcessDataLoaderIter.__next__", 0, 10))
    assert [(each.phase, each.is_op) for each in step.placed] == [("data", False)]


def test_own_code_before_the_first_layer_is_told_apart() -> None:
    step = placed(Event("aten::randn", 100, 300), Event(f"{LAYER}0", 400, 500), Event("aten::sum", 600, 700))
    assert (step.before, step.outside) == (400, 600)
