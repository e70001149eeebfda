"""Operations below autograd, with their lines and layers."""

import torch

from stetho.capture.torch.autopsy.tracer import OpTracer, is_view, name_of, place_of


def traced(function, **options):
    tracer = OpTracer(**options)
    with tracer:
        function()
    return tracer


def test_keeps_only_troubled_operations():
    tracer = traced(lambda: torch.tensor([1.0, 0.0]).add(1).sub(1).log().sum())
    assert [op.name for op in tracer.ops] == ["log", "sum"]
    assert tracer.count > 2


def test_keeps_all_when_asked_for():
    tracer = traced(lambda: torch.ones(2).add(1), keep_all=True)
    assert tracer.ops[-1].name == "add"
    assert tracer.ops[-1].seen == ["float32[2] 1 → float32[2] 2"]


def test_knows_the_line_and_the_way():
    tracer = OpTracer()
    with tracer:
        bad = torch.zeros(2).log()
        bad.view(1, 2).mul(2)
    log, view, product = tracer.ops
    assert log.line.startswith(__file__)
    assert (view.name, product.sources[0].op) == ("view", log.number)


def test_an_operation_in_place_shows_what_was_there_before():
    tracer = traced(lambda: torch.zeros(2).log_())
    assert tracer.ops[0].evidence.operands[0].value == 0.0


def test_finite_values_written_over_bad_ones_are_finite():
    def program():
        bad = torch.zeros(2).log()
        bad.fill_(1.0)
        bad.add(1)

    assert [op.name for op in traced(program).ops] == ["log", "fill"]


def test_a_gradient_has_the_line_of_its_operation():
    x = torch.zeros(2, requires_grad=True)
    tracer = OpTracer()
    with tracer:
        root = torch.sqrt(x)
        made_at = tracer.count
        root.sum().backward()
    assert made_at
    (gradient,) = [op for op in tracer.ops if op.evidence is not None]
    assert (gradient.name, gradient.phase, gradient.node) == ("div", "backward", "sqrt")
    assert gradient.line.startswith(__file__)


def test_can_look_away():
    assert traced(lambda: torch.zeros(1).log(), skip=lambda: True).ops == []


def test_names_and_views():
    assert name_of(torch.ops.aten._log_softmax.default) == "log_softmax"
    assert is_view(torch.ops.aten.view.default)
    assert not is_view(torch.ops.aten.log_.default)
    x = torch.ones(4)
    assert place_of(x) == place_of(x.view(2, 2)) != place_of(x.clone())
