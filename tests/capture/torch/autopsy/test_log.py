"""Rows of a trace, made readable."""

import torch
from torch import nn

from stetho.capture.torch.autopsy.log import brief, fact_text, line_at
from stetho.capture.torch.autopsy.tracer import OpTracer
from stetho.stats.summary import EMPTY


def test_a_gradient_has_line_layer_and_name_of_its_operation():
    x = torch.ones(2, requires_grad=True)
    tracer = OpTracer()
    with tracer:
        tracer.layers.append("head")
        made = x.exp()
        tracer.layers.pop()
        made.sum().backward()
    forward = next(row for row in tracer.log.rows() if row.kind.name == "exp")
    backward = next(row for row in tracer.log.rows() if row.gradient_of == "exp")
    assert (backward.phase, backward.home, backward.line) == ("backward", "head", forward.line)
    assert forward.line.startswith(__file__)


def test_an_unknown_gradient_is_named_after_its_node():
    made = nn.Linear(2, 1)(torch.ones(1, 2)).sigmoid()
    tracer = OpTracer()
    with tracer:
        made.sum().backward()
    row = next(row for row in tracer.log.rows() if row.kind.name == "sigmoid_backward")
    assert (row.gradient_of, row.home, row.forward) == ("Sigmoid", None, None)


def test_texts_tell_range_and_what_is_not_finite():
    assert brief(torch.tensor([1.0, 2.0])) == "float32[2] 1…2"
    assert brief(torch.zeros(2, device="meta")) == "float32[2]"
    assert fact_text(("float32", (3,), EMPTY._replace(elements=3, nans=2, infs=1))) == "float32[3] nan 2 inf 1"
    assert fact_text("sparse") == "sparse"


def test_a_position_outside_of_all_lines_is_the_beginning_of_its_code():
    assert line_at((line_at.__code__, 1 << 20)) == f"{line_at.__code__.co_filename}:{line_at.__code__.co_firstlineno}"


def test_a_cleared_log_is_empty():
    tracer = OpTracer()
    with tracer:
        torch.zeros(1).log()
    tracer.log.clear()
    assert (list(tracer.log.rows()), tracer.log.ops, len(tracer.log.sightings)) == ([], [], 0)
