"""Operations below autograd, with their lines and layers."""

from types import SimpleNamespace

import torch

from stetho.capture.torch.autopsy.tracer import OpTracer, place_of


def traced(function, **options):
    tracer = OpTracer(**options)
    with tracer:
        function()
    return tracer


def test_has_a_row_for_all_and_more_for_troubled_ones():
    tracer = traced(lambda: torch.tensor([1.0, 0.0]).add(1).sub(1).log().sum())
    assert [op.name for op in tracer.log.ops] == ["log", "sum"]
    assert [row.kind.name for row in tracer.log.rows()][-4:] == ["add", "sub", "log", "sum"]
    assert tracer.count > 2


def test_tells_the_values_of_an_operation():
    log = traced(lambda: torch.ones(2).add(1)).log
    assert log.values(list(log.rows())[-1]) == "float32[2] 1 → float32[2] 2"


def test_knows_the_line_and_the_way():
    tracer = OpTracer()
    with tracer:
        bad = torch.zeros(2).log()
        bad.view(1, 2).mul(2)
    log, view, product = tracer.log.ops
    assert log.line.startswith(__file__)
    assert (view.name, product.sources[0].op) == ("view", log.number)


def test_an_operation_in_place_shows_what_was_there_before():
    tracer = traced(lambda: torch.zeros(2).log_())
    assert tracer.log.ops[0].evidence.operands[0].value == 0.0


def test_finite_values_written_over_bad_ones_are_finite():
    def program():
        bad = torch.zeros(2).log()
        bad.fill_(1.0)
        bad.add(1)

    assert [op.name for op in traced(program).log.ops] == ["log", "fill"]


def test_a_gradient_has_the_line_of_its_operation():
    x = torch.zeros(2, requires_grad=True)
    tracer = OpTracer()
    with tracer:
        root = torch.sqrt(x)
        made_at = tracer.count
        root.sum().backward()
    assert made_at
    (gradient,) = [op for op in tracer.log.ops if op.evidence is not None]
    assert (gradient.name, gradient.phase, gradient.node) == ("div", "backward", "sqrt")
    assert gradient.line.startswith(__file__)


def test_can_look_away():
    assert traced(lambda: torch.zeros(1).log(), ours=SimpleNamespace(entered=1.0)).log.ops == []


def test_views_share_their_place():
    x = torch.ones(4)
    assert place_of(x) == place_of(x.view(2, 2)) != place_of(x.clone())


def test_a_bad_part_of_a_tensor_is_seen_after_a_finite_one():
    data = torch.tensor([[1.0, 2.0], [float("nan"), 3.0]])
    tracer = OpTracer()
    with tracer:
        data[0].add(1)
        data[0].mul(float("inf"))
        data[1].add(1)
    assert [op.name for op in tracer.log.ops] == ["mul", "add"] or tracer.log.ops[-1].has_nan


def test_an_error_of_ours_does_not_reach_the_program():
    errors = []
    tracer = OpTracer(on_error=lambda: errors.append(1))
    tracer.layers = None
    with tracer:
        assert torch.ones(2).add(1).tolist() == [2, 2]
    assert errors == [1]


def test_an_update_in_place_shows_no_value_of_afterwards():
    moments = torch.zeros(3)
    tracer = OpTracer()
    tracer.phase = "optimizer"
    with tracer:
        moments.div_(moments.clone())
    (op,) = tracer.log.ops
    assert (op.evidence.operands[0].text, op.evidence.operands[0].value) == ("float32[3], changed in place", None)
    assert op.evidence.operands[1].value == 0.0


def test_a_long_stretch_keeps_what_matters(monkeypatch):
    monkeypatch.setattr("stetho.capture.torch.autopsy.tracer.MOST_ROWS", 10)
    tracer = OpTracer()
    with tracer:
        bad = torch.zeros(2).log()
        for _ in range(25):
            torch.ones(1).add(1)
        bad.mul(2)
    log, product = tracer.log.ops
    assert (log.name, product.name, product.sources[0].op) == ("log", "mul", log.number)
    assert (len(tracer.log.trail) <= 10, list(tracer.log.rows())[-1].number) == (True, product.number)


def test_a_gradient_of_the_step_before_is_known():
    tracer = OpTracer()
    with tracer:
        made = torch.zeros(2, requires_grad=True).exp()
        tracer.turn()
        made.sum().backward()
    assert {row.line for row in tracer.log.rows(tracer.before) if row.gradient_of == "exp"} != {None}


def test_what_is_changed_in_a_list_is_seen_anew():
    tensors = [torch.ones(2000), torch.ones(3)]
    tracer = OpTracer()
    with tracer:
        tensors[0].add(1)
        torch._foreach_mul_([each[7:8] if len(each) > 3 else each for each in tensors], 1001.0)
        tensors[0].add(1)
    assert tracer.log.values(list(tracer.log.rows())[-1]) == "float32[2000] 1…1001 → float32[2000] 2…1002"
