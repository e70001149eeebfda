"""The tape: balanced whatever the program does with modes of its own, and silent about what it sees."""

import pytest
import torch
from torch import nn
from torch.nn import functional
from torch.overrides import TorchFunctionMode

from stetho.capture.guard import Guard
from stetho.capture.torch.autopsy import tape as tapes
from stetho.capture.torch.autopsy.tape import Tape, TapeMode, is_in_place
from stetho.capture.torch.patches import Patches


class Theirs(TorchFunctionMode):
    """A mode of the program's."""

    seen = 0

    def __torch_function__(self, func, types, args=(), kwargs=None):
        self.seen += 1
        return func(*args, **(kwargs or {}))


def depth() -> int:
    return torch._C._len_torch_function_stack()


@pytest.fixture
def mode():
    def fail(point, text):
        pytest.fail(f"{point}: {text}")

    made = TapeMode(Guard(fail))
    yield made
    made.stop()
    assert depth() == 0


def names(tape):
    return [op.func.__name__ for op in tape.ops]


def test_writes_down_calls_with_their_lines(mode):
    tape = Tape()
    mode.start(tape)
    functional.cross_entropy(torch.zeros(2, 3), torch.tensor([0, 1]))
    mode.stop()
    assert names(tape)[-1] == "cross_entropy"
    assert tape.ops[-1].place[0] == __file__


class Halved(torch.autograd.Function):
    """A function with a derivative of its own, which modes are not told of."""

    @staticmethod
    def forward(_ctx, x):
        return x.mul(0.5).add(0)

    @staticmethod
    def backward(_ctx, gradient):
        return gradient / 2


def test_a_function_with_its_own_derivative_is_one_call_and_can_be_played_again(mode):
    patches, tape, x = Patches(), Tape(), torch.ones(2, requires_grad=True)
    mode.install(patches)
    try:
        Halved.apply(x)
        mode.start(tape)
        y = Halved.apply(x)
        mode.stop()
    finally:
        patches.undo()
    (op,) = tape.ops
    assert (op.func.__self__, op.result is y, op.place[0]) == (Halved, True, __file__)
    again = op.func(*op.args)
    assert torch.equal(again, y)
    assert type(again.grad_fn) is type(y.grad_fn)


def test_what_we_compute_ourselves_is_no_part_of_the_step(mode):
    tape, x = Tape(), torch.ones(2)
    mode.start(tape)
    x.log()
    mode._guard.wrap("facts", lambda: x.exp())()
    assert names(tape) == ["log"]


def test_reading_a_tensor_is_no_call(mode):
    tape, x = Tape(), torch.ones(3)
    mode.start(tape)
    (x.shape, x.device, x.dim(), x.sum().item(), len(x))
    mode.stop()
    assert names(tape) == ["sum"]


def test_leaves_modes_of_the_program_where_they_are(mode):
    with Theirs() as theirs:
        mode.start(Tape())
    torch.ones(1).add(1)
    assert depth() == 1
    before = theirs.seen
    with Theirs():
        torch.ones(1).add(1)
        mode.stop()
        assert depth() == 1
    assert (depth(), theirs.seen) == (0, before)


def test_gets_on_with_device_contexts(mode):
    with torch.device("cpu"):
        mode.start(Tape())
    with torch.device("meta"):
        assert torch.ones(1).is_meta
    assert not torch.ones(1).is_meta
    mode.stop()


def test_gets_on_with_a_default_device(mode):
    try:
        torch.set_default_device("cpu")
        mode.start(Tape())
        torch.set_default_device("meta")
        assert torch.ones(1).is_meta
        torch.set_default_device(None)
        torch.ones(1).add(1)
    finally:
        torch.set_default_device(None)
    mode.stop()


def test_survives_an_exception_of_the_program(mode):
    tape = Tape()
    mode.start(tape)
    with pytest.raises(RuntimeError):
        torch.ones(2) @ torch.ones(3)
    torch.ones(2).add(1)
    mode.stop()
    assert names(tape)[-1] == "add"


def test_can_be_stopped_inside_of_a_call(mode):
    x = torch.ones(2, requires_grad=True)
    mode.start(Tape())
    loss = x.sum()
    loss.register_hook(lambda _: mode.stop())
    loss.backward()
    # The framework puts a mode back that it was inside of; the next stop takes it away.
    mode.stop()
    assert depth() == 0


def test_gives_up_where_too_much_would_be_kept_alive(mode, monkeypatch):
    monkeypatch.setattr(tapes, "MOST_BYTES", 1000)
    tape = Tape()
    mode.start(tape)
    torch.zeros(100).add(1).add(1).add(1)
    mode.stop()
    assert (tape.complete, tape.ops) == (False, [])


def test_changes_no_way_that_a_layer_takes(mode):
    layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True).eval()
    x = torch.randn(2, 3, 8)
    patches = Patches()
    mode.install(patches)
    with torch.no_grad():
        bare = layer(x)
        mode.start(Tape())
        assert torch.equal(layer(x), bare)
        mode.stop()
    patches.undo()


def test_keeps_what_is_changed_in_place_and_what_was_random(mode):
    tape, x = Tape(), torch.ones(3)
    mode.start(tape)
    functional.dropout(x, 0.5)
    x.mul_(2)
    x[0] = 5.0
    mode.stop()
    dropout, product, setting = tape.ops
    assert dropout.random is not None
    assert product.before.tolist() == [1, 1, 1]
    assert setting.before.tolist() == [2, 2, 2]


@pytest.mark.parametrize(("name", "expected"), [("log_", True), ("__iadd__", True), ("__add__", False), ("sum", False)])
def test_knows_calls_that_change_their_argument(name, expected):
    assert is_in_place(name) == expected


def test_a_tape_about_an_output_ends_when_nothing_comes_of_it_any_more(mode):
    output, other = torch.ones(2), torch.zeros(2)
    tape = Tape(about={id(output)})
    mode.start(tape)
    for _ in range(tapes.MOST_OTHERS):
        other + 1
    made = output.exp()
    for _ in range(tapes.MOST_OTHERS + 1):
        other + 1
    made.log()
    mode.stop()
    assert names(tape) == ["exp"]
