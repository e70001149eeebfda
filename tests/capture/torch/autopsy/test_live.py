"""Tracing code as it runs."""

import torch
from torch import nn

from stetho.capture.torch.autopsy.live import LiveTrace


def live(program, model=None):
    names = {id(module): name for name, module in model.named_modules()} if model is not None else {}
    trace = LiveTrace(lambda module: names.get(id(module)) or type(module).__name__)
    trace.start()
    try:
        program()
    finally:
        trace.stop()
    return trace


def document(program, model=None):
    trace = live(program, model)
    return trace.document(trace.tracer.log)


def test_layers_and_phases_are_known():
    model = nn.Sequential(nn.Linear(2, 2), nn.ReLU())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def program():
        model(torch.ones(3, 2)).sum().backward()
        optimizer.step()

    rows = document(program, model)["rows"]
    assert {"0", "1"} <= {row["layer"] for row in rows}
    assert list(dict.fromkeys(row["phase"] for row in rows)) == ["forward", "backward", "optimizer"]


def test_a_loss_that_is_read_is_still_a_bad_end():
    def program():
        loss = torch.zeros(2).log().sum()
        float(loss)
        torch.ones_like(loss)

    (birth,) = document(program)["births"]
    assert birth["expression"] == "log(0)"


def test_what_is_taken_in_is_no_birth():
    scores = torch.zeros(3, 3)
    hidden = torch.ones(3, 3, dtype=torch.bool).triu(1)
    assert document(lambda: scores.masked_fill(hidden, float("-inf")).softmax(1))["births"] == []


def test_as_many_operations_are_counted_as_there_are_rows():
    model = nn.Linear(2, 2)
    model.weight.grad = torch.ones(2, 2)
    found = document(torch.optim.SGD(model.parameters(), lr=0.1).step)
    assert found["operations"] == len(found["rows"])


def test_complex_values_are_shown_with_few_digits():
    (birth,) = document(lambda: torch.tensor([0.0629499554 + 0j]) / 0)["births"]
    assert birth["expression"] == "(0.06295+0j) / 0"


def test_sparse_complex_and_inference_tensors_are_traced():
    def program():
        with torch.inference_mode():
            torch.zeros(2, dtype=torch.complex64).log()
        (torch.eye(2).to_sparse() * float("inf")).sum()

    assert len(document(program)["births"]) >= 1


def test_leaves_no_hook_and_no_mode_behind():
    from torch.nn.modules import module as modules

    live(lambda: None)
    assert not modules._global_forward_hooks
    assert not modules._global_forward_pre_hooks
    assert torch.utils._python_dispatch._len_torch_dispatch_stack() == 0
