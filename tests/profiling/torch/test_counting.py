"""Floating point operations and memory of every operation."""

import torch
from torch.nn import functional

from stetho.capture.guard import Guard
from stetho.profiling.torch.counting import Counting
from stetho.profiling.torch.scopes import Scopes

from .conftest import Net


def test_counts_forward_and_backward_by_layer(guard: Guard) -> None:
    model, scopes = Net(), Scopes(guard)
    counting = Counting(guard, scopes)
    inputs = torch.ones(4, 8)
    scopes.arm()
    counting.start()
    try:
        model(inputs).sum().backward()
    finally:
        counting.stop()
        scopes.remove()
    first, second = scopes.number_of(0, "first"), scopes.number_of(0, "second")
    assert counting.flops["forward", first] == 2 * 4 * 8 * 16
    assert counting.flops["forward", second] == 2 * 4 * 16 * 2
    assert counting.flops["backward", first] == 2 * 4 * 8 * 16  # the input needs no gradient
    assert counting.flops["backward", second] == 2 * 2 * 4 * 16 * 2
    assert counting.flops_of_op["aten::addmm", "forward"] == sum(
        counting.flops["forward", each] for each in (first, second)
    )
    assert counting.bytes["forward", first] >= 4 * 16 * 4


def test_attention_on_the_cpu_is_counted(guard: Guard) -> None:
    counting = Counting(guard, Scopes(guard))
    query = torch.ones(1, 2, 8, 4, requires_grad=True)
    counting.start()
    try:
        functional.scaled_dot_product_attention(query, query, query).sum().backward()
    finally:
        counting.stop()
    assert sum(counting.flops_of_op.values()) >= 2 * (2 * 8 * 8 * 4) * 2


def test_the_peak_is_what_is_alive_at_once(guard: Guard) -> None:
    counting = Counting(guard, Scopes(guard))
    counting.start()
    try:
        for _ in range(10):
            torch.zeros(256)
        kept = [torch.zeros(256), torch.zeros(256)]
    finally:
        counting.stop()
    assert counting.peak == len(kept) * 1024
    counting.step_done()


def test_results_are_the_same(guard: Guard) -> None:
    model, inputs = Net(), torch.randn(4, 8)
    expected = model(inputs)
    counting = Counting(guard, Scopes(guard))
    counting.start()
    try:
        assert torch.equal(model(inputs), expected)
    finally:
        counting.stop()


def test_lines_that_read_a_value_are_known_and_those_of_optimizers_are_not(guard: Guard) -> None:
    counting = Counting(guard, Scopes(guard))
    weight = torch.ones(3, requires_grad=True)
    optimizer = torch.optim.Adam([weight])
    weight.sum().backward()
    counting.start()
    try:
        optimizer.step()
        for _ in range(4):
            float(weight.detach()[0])
    finally:
        counting.stop()
    ((line, count),) = counting.reads.items()
    assert count == 4
    assert line.startswith(__file__)
