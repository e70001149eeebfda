"""The native kernel, held against double precision and against plain torch over the same tensors."""

import gc
import sys
from collections import OrderedDict
from math import inf, isnan, nan

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from torch.overrides import TorchFunctionMode

pytest.importorskip("stetho.stats._native", reason="the native kernel was not built: no C compiler")

from stetho.stats import _native, histogram, native_kernel, torch_kernel
from stetho.stats.columns import columns_of_summaries, table
from stetho.stats.histogram import SAMPLE
from stetho.stats.summary import EMPTY, Summary

BLOCK = 2048
INSTRUCTIONS = [name for name in ("avx2", "sse2", "neon", "scalar") if _native.use_instructions(name)]
BEST = INSTRUCTIONS[0]
_native.use_instructions(BEST)

FLOATS = [torch.float16, torch.bfloat16, torch.float32, torch.float64]
WHOLE = [torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64]
LATER_WHOLE = [torch.uint16, torch.uint32, torch.uint64]

SHAPES = array_shapes(min_dims=0, max_dims=5, min_side=0, max_side=6)
ODD = [nan, inf, -inf, 0.0, -0.0, 1e-45, -1e-38, 3e38, -3e38, 1.0, 1e-20, 1e19]
ANY = arrays(np.float32, SHAPES, elements=st.floats(width=32) | st.sampled_from(ODD))
TAME = arrays(np.float32, array_shapes(max_dims=4, max_side=9), elements=st.floats(-1000, 1000, width=32))
# Beyond, squares leave the range of the type, and the deviation with them.
DOUBLES = st.floats(1e-140, 1e150) | st.floats(-1e150, -1e-140) | st.sampled_from([nan, inf, -inf, 0.0, -0.0])
BITS = arrays(np.uint32, st.integers(0, 100), elements=st.integers(0, 2**32 - 1))


def exact(tensor: torch.Tensor) -> Summary:
    """The same numbers with numpy in double precision."""
    flat = tensor.detach().to(torch.float64).numpy().ravel()
    finite = flat[np.isfinite(flat)]
    nans, infs, zeros = (int(hits.sum()) for hits in (np.isnan(flat), np.isinf(flat), flat == 0))
    if len(finite) == 0:
        return EMPTY._replace(elements=len(flat), nans=nans, infs=infs)
    mean, squares = finite.mean(), np.square(finite - finite.mean()).sum()
    return Summary(len(flat), nans, infs, zeros, finite.min(), finite.max(), mean, squares)


def assert_same(measured: Summary, expected: Summary, mean: float, deviation: float) -> None:
    """Counts and extremes to the bit; the mean relative to the size of the values, the deviation to itself."""
    assert measured[:6] == expected[:6]
    assert [type(number) for number in measured] == [int] * 4 + [float] * 4
    if expected.finite:
        size = expected.rms
        assert measured.mean == pytest.approx(expected.mean, rel=0, abs=mean * size)
        assert measured.row(1)[8] == pytest.approx(expected.row(1)[8], rel=deviation, abs=1e-7 * size)


def assert_right(tensor: torch.Tensor) -> None:
    measured = native_kernel.measure(tensor)
    assert_same(measured, exact(tensor), mean=4e-6, deviation=2e-5)
    (plain,) = torch_kernel.fetch([torch_kernel.measure(tensor)])
    assert_same(measured, plain, mean=1e-5, deviation=2e-3)


@pytest.fixture(params=INSTRUCTIONS)
def instructions(request):
    _native.use_instructions(request.param)
    yield request.param
    _native.use_instructions(BEST)


@pytest.fixture(params=["exchange", "capsule"])
def way(request):
    def come_by(exchange):
        return _native.configure(
            types=(torch.Tensor, torch.nn.Parameter),
            is_negated=torch.Tensor.is_neg,
            detached=torch.Tensor.detach,
            exported=torch.utils.dlpack.to_dlpack,
            has_modes=torch._C._is_torch_function_mode_enabled,
            pause=torch._C.DisableTorchFunction,
            exchange=exchange,
            summary=Summary,
            otherwise=torch_kernel.measure,
            hooks=OrderedDict,
            strided=torch.strided,
        )

    table = getattr(torch.Tensor, "__dlpack_c_exchange_api__", None)
    if request.param == "exchange" and table is None:
        pytest.skip("this torch has no exchange table")
    assert come_by(table if request.param == "exchange" else None) == request.param
    yield request.param
    come_by(table)


@given(ANY, st.sampled_from(FLOATS))
@settings(max_examples=300, deadline=None)
def test_any_values_and_shapes(values, dtype):
    assert_right(torch.from_numpy(values.copy()).to(dtype))


@given(BITS)
@settings(max_examples=200, deadline=None)
def test_any_bits_with_all_payloads_of_nan(bits):
    assert_right(torch.from_numpy(bits.copy().view(np.float32)))
    assert_right(torch.from_numpy(bits.astype(np.uint16).view(np.int16)).view(torch.float16))
    assert_right(torch.from_numpy(bits.astype(np.uint16).view(np.int16)).view(torch.bfloat16))


@given(arrays(np.float64, st.integers(1, 60), elements=DOUBLES))
@settings(max_examples=100, deadline=None)
def test_any_double(values):
    assert_right(torch.from_numpy(values.copy()))


@given(arrays(np.int64, SHAPES, elements=st.integers(-(2**62), 2**62)), st.sampled_from(WHOLE + LATER_WHOLE))
@settings(max_examples=150, deadline=None)
def test_any_whole_type(values, dtype):
    tensor = torch.from_numpy(values.copy()).to(dtype)
    assert_same(native_kernel.measure(tensor), exact(tensor), mean=1e-12, deviation=1e-6)


@given(TAME, st.data())
@settings(max_examples=200, deadline=None)
def test_any_stride(values, data):
    tensor = torch.from_numpy(values.copy())
    axes = data.draw(st.permutations(range(tensor.dim())))
    steps = [slice(data.draw(st.integers(0, 1)), None, data.draw(st.sampled_from([1, 2, 3]))) for _ in axes]
    strided = tensor.permute(axes)[tuple(steps)].to(data.draw(st.sampled_from(FLOATS)))
    for view in (
        strided,
        strided.unsqueeze(0).expand(3, *strided.shape),
        tensor.unsqueeze(-1).expand(*tensor.shape, 4),
    ):
        assert_right(view)
        assert torch.equal(native_kernel.log2_histogram(view), histogram.log2_histogram(view))


@pytest.mark.parametrize("count", [1, 15, 16, 17, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 5, 300_001])
@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.usefixtures("instructions")
def test_any_length_with_any_instructions(count, dtype):
    values = torch.randn(count, generator=torch.Generator().manual_seed(count)).to(dtype)
    values[::7] = 0.0
    assert_right(values)
    values[count // 2] = nan
    values[count // 3] = inf
    values[-1] = -inf
    assert_right(values)


@pytest.mark.parametrize("scale", [1e-44, 1e-40, 1e-30, 1e-20, 1e-16, 1e-14, 1e18, 1e25, 1e37])
@pytest.mark.usefixtures("instructions")
def test_squares_that_leave_the_range_of_the_type_are_right_all_the_same(scale):
    assert_right(torch.linspace(-1, 2, 5000) * scale)
    assert_right(torch.linspace(-1, 2, 5000) * scale + 3 * scale)


@pytest.mark.parametrize("offset", [1.0, 10.0, 4096.0, -1e6, 1e30])
@pytest.mark.usefixtures("instructions")
def test_a_small_deviation_far_from_zero_is_not_lost_in_rounding(offset):
    for spread in (1.0, 1e-2 * abs(offset), 1e-6 * abs(offset)):
        values = torch.linspace(-1, 1, 10_000) * spread + offset
        expected = exact(values)
        assert native_kernel.measure(values).squares == pytest.approx(expected.squares, rel=2e-5)
        assert native_kernel.measure(values).mean == pytest.approx(expected.mean, rel=1e-7)


@pytest.mark.usefixtures("instructions")
def test_deviations_whose_squares_leave_the_range_although_those_of_the_values_do_not():
    values = torch.full((27,), 1.91e19)
    values[0] = 0.0
    assert_right(values)


@pytest.mark.parametrize("dtype", [*FLOATS, *WHOLE])
@pytest.mark.parametrize("count", [1, 7, 5000])
def test_a_constant_has_no_deviation(dtype, count):
    value = 1.0 if dtype is torch.bool else 100.0
    assert native_kernel.measure(torch.full((count,), value, dtype=dtype))[4:] == (value, value, value, 0.0)


def test_many_elements_keep_their_precision():
    tenth = torch.full((1 << 21,), 0.1).index_fill_(0, torch.tensor([0]), 0.2)
    thousandfold = tenth.expand(500, 1 << 21)  # 1e9 elements
    measured = native_kernel.measure(thousandfold)
    assert measured.elements == 500 << 21
    assert measured.mean == pytest.approx(exact(tenth).mean, rel=1e-9)
    assert measured.squares == pytest.approx(500 * exact(tenth).squares, rel=1e-5)


@pytest.mark.parametrize("scale", [1e-200, 1e150, 1e300])
def test_double_precision_beyond_any_square_keeps_its_extremes(scale):
    measured = native_kernel.measure(torch.linspace(-1, 2, 100, dtype=torch.float64) * scale)
    assert measured[:6] == (100, 0, 0, 0, -scale, 2 * scale)


def test_nothing_at_all():
    assert native_kernel.measure(torch.empty(3, 0)) == EMPTY
    assert native_kernel.measure_all([]) == []


ONE_BY_ONE = {
    "needs gradient": lambda: torch.randn(5, requires_grad=True),
    "parameter": lambda: torch.nn.Parameter(torch.randn(5)),
    "has a history": lambda: torch.randn(5, requires_grad=True) * 2,
    "scalar": lambda: torch.tensor(3.0),
    "channels last": lambda: torch.randn(2, 3, 8, 8).to(memory_format=torch.channels_last),
    "overlapping": lambda: torch.randn(20).as_strided((15, 5), (1, 1)),
    "many dimensions": lambda: torch.randn([2] + [1] * 40 + [3]),
    "large, with history": lambda: torch.randn(300_000, requires_grad=True) * 2,
    "odd address": lambda: torch.frombuffer(bytearray(41), dtype=torch.float32, offset=1),
    "zeros never stored": lambda: torch._efficientzerotensor(4),
    "sign flipped": lambda: torch.randn(5, dtype=torch.complex64).conj().imag,
    "sign flipped, in one piece": lambda: torch._neg_view(torch.randn(5)),
}


@pytest.mark.parametrize("name", ONE_BY_ONE)
@pytest.mark.usefixtures("way")
def test_every_kind_of_tensor_is_measured(name):
    assert_right(ONE_BY_ONE[name]())


@pytest.mark.usefixtures("way")
def test_inference_tensors_are_measured():
    with torch.inference_mode():
        tensor = torch.linspace(0, 2, 300_001)
        assert_right(tensor)
    assert_right(tensor)


OTHERS = {
    "sparse": lambda: torch.eye(3).to_sparse(),
    "complex": lambda: torch.ones(3, dtype=torch.complex64),
    "conjugated": lambda: torch.ones(3, dtype=torch.complex64).conj(),
    "subclass": lambda: torch.ones(3).as_subclass(type("Own", (torch.Tensor,), {})),
    "eight bits": lambda: torch.ones(3).to(torch.float8_e5m2),
}


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.usefixtures("way")
def test_what_cannot_be_read_goes_to_plain_torch(name):
    tensor = OTHERS[name]()
    expected = torch_kernel.measure(tensor)
    assert native_kernel.measure(tensor) == expected
    assert native_kernel.measure_all([torch.ones(1), tensor])[1] == expected
    assert expected.elements in (3, 6)


def test_an_accelerator_is_left_to_plain_torch():
    assert native_kernel.measure(torch.ones(3, device="meta")).shape == (8,)


@pytest.mark.usefixtures("way")
def test_errors_of_plain_torch_are_not_swallowed():
    with pytest.raises(AttributeError):
        native_kernel.measure("no tensor")
    with pytest.raises(AttributeError):
        native_kernel.measure_all([torch.ones(1), None])
    with pytest.raises(TypeError):
        native_kernel.measure_all(None)


def test_measuring_changes_neither_the_tensor_nor_the_graph_nor_the_random_state():
    for count in (50, 300_000):
        tensor = torch.randn(count, requires_grad=True)
        output = tensor * 2
        version, state, node = output._version, torch.get_rng_state(), output.grad_fn
        native_kernel.measure(output)
        native_kernel.log2_histogram(output)
        assert (output._version, output.grad_fn) == (version, node)
        assert torch.equal(torch.get_rng_state(), state)


class Listener(TorchFunctionMode):
    """Hears every call of torch."""

    def __init__(self):
        super().__init__()
        self.heard = []

    def __torch_function__(self, function, types, args=(), kwargs=None):
        self.heard.append(function.__name__)
        return function(*args, **(kwargs or {}))


@pytest.mark.usefixtures("way")
def test_a_mode_of_the_program_does_not_hear_us():
    small, large = torch.linspace(0, 1, 5), torch.linspace(0, 1, 300_000)
    rows = native_kernel.UpdateRows(1000)
    with Listener() as listener:
        summaries = [native_kernel.measure(small), *native_kernel.measure_all([small, large])]
        rows.before([1, 2], [small, large])
        rows.changes([1, 2], [small, large])
        native_kernel.sum_of_squares([small, large])
        _native.histogram(large, 1000)
        assert listener.heard == []
        small.add(1)
        assert listener.heard == ["add"]
    assert [summary.elements for summary in summaries] == [5, 5, 300_000]


@given(ANY, st.sampled_from(FLOATS))
@settings(max_examples=200, deadline=None)
def test_histograms_are_those_of_plain_torch(values, dtype):
    tensor = torch.from_numpy(values.copy()).to(dtype)
    assert torch.equal(native_kernel.log2_histogram(tensor), histogram.log2_histogram(tensor))


@pytest.mark.parametrize("dtype", [*FLOATS, *WHOLE])
def test_large_tensors_give_the_same_sample(dtype):
    tensor = (torch.randn(3 * SAMPLE + 17) * 5).to(dtype)
    assert torch.equal(native_kernel.log2_histogram(tensor), histogram.log2_histogram(tensor))
    expanded = torch.ones(3).expand(SAMPLE, 3)
    assert torch.equal(native_kernel.log2_histogram(expanded), histogram.log2_histogram(expanded))


@pytest.mark.parametrize("columns", [2, 3, 7, 1000])
def test_a_sample_of_rows_has_its_size(columns):
    tensor = torch.randn(2 * SAMPLE // columns + 1, columns + 1)[:, :-1]
    step = -(-tensor.numel() // SAMPLE)
    assert native_kernel.log2_histogram(tensor).sum() == -(-tensor.numel() // step)


@given(st.lists(ANY, min_size=1, max_size=6))
@settings(max_examples=100, deadline=None)
def test_rows_are_those_of_plain_torch(values):
    tensors = [torch.from_numpy(one.copy()) for one in values]
    rows = native_kernel.UpdateRows(1)
    rows.add(range(len(tensors)), tensors)
    table = taken(rows)
    assert np.array_equal(table[table[:, 0].argsort()], measured_rows(tensors), equal_nan=True)


@given(st.lists(st.tuples(ANY, st.sampled_from(FLOATS)), max_size=5))
@settings(max_examples=100, deadline=None)
def test_changes_are_the_differences(pairs):
    tensors = [torch.from_numpy(values.copy()).to(dtype) for values, dtype in pairs]
    rows = native_kernel.UpdateRows(50)
    rows.before(range(len(pairs)), tensors)
    later = [tensor.mul(3).add_(1) for tensor in tensors]
    rows.changes(range(len(pairs), 2 * len(pairs)), later)
    table = taken(rows)
    values, changes = np.split(table[table[:, 0].argsort()], 2)
    assert np.array_equal(values, measured_rows(tensors), equal_nan=True)
    for now, before, value, change in zip(later, tensors, values, changes, strict=True):
        group = 64 * max(1, -(-now.numel() // 50))
        runs = [place for place in range(now.numel()) if place % group < 64]
        wide = [one.reshape(-1)[runs] for one in (now, before)]
        wide = [one if one.dtype is torch.float64 else one.float() for one in wide]
        expected = exact(wide[0] - wide[1])
        assert change[2:6].tolist() == [expected.elements, expected.nans, expected.infs, expected.zeros]
        if expected.finite:
            assert change[6:8].tolist() == [expected.low, expected.high]
            assert change[10] == pytest.approx(expected.rms, rel=1e-4)
            ratio = change[10] / value[10] if value[10] > 0 else np.nan
            assert change[12] == pytest.approx(ratio, nan_ok=True)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("size", [129, 4096, 30_001])
@pytest.mark.parametrize("layout", ["in one piece", "every second", "by columns"])
def test_a_large_tensor_is_sampled_in_runs(dtype, size, layout):
    values = torch.arange(2.0 * size).to(dtype)
    tensor = {"in one piece": values[:size], "every second": values[::2], "by columns": values.reshape(2, size).t()}
    tensor = tensor[layout]
    change = torch.arange(tensor.numel()).remainder(251).to(dtype)
    if layout == "by columns":
        change = change.reshape(2, size).t()
    rows = native_kernel.UpdateRows(100)
    before = torch.zeros_like(tensor) if layout == "in one piece" else tensor.mul(0)
    rows.before([1], [before])
    rows.changes([2], [before.add_(change)])
    count, total = taken(rows)[1, [2, 8]]
    group = 64 * -(-tensor.numel() // 100)
    picked = [place % 251 for place in range(tensor.numel()) if place % group < 64]
    assert count == len(picked)
    assert total == pytest.approx(np.mean(picked), rel=1e-5)


def taken(rows):
    return np.frombuffer(rows.take()).reshape(-1, 13)


def measured_rows(tensors):
    columns = columns_of_summaries([native_kernel.measure(tensor) for tensor in tensors])
    return table([*range(len(tensors))], [1] * len(tensors), columns)


def test_a_tensor_of_another_form_has_no_change():
    rows = native_kernel.UpdateRows(10)
    rows.before([1, 2, 3], [torch.ones(3), torch.ones(4), torch.ones(5)])
    rows.changes([4, 5, 6], [torch.ones(4), torch.ones(4).double(), torch.ones(5)])
    assert taken(rows)[:, [0, 2]].tolist() == [[1, 3], [2, 4], [3, 5], [6, 5]]
    rows.before([1], [torch.ones(3)])
    rows.clear()
    assert len(rows.take()) == 0


def test_what_cannot_be_read_is_left_to_plain_torch():
    whole, expanded = torch.arange(3), torch.ones(1).expand(4)
    rows = native_kernel.UpdateRows(10)
    rows.before([1, 2, 3], [whole, torch.zeros(2), expanded])
    assert rows.add([4, 5], [torch.ones(2), torch.ones(2, dtype=torch.complex64)]) is None
    assert rows.add([6], [torch.full((3,), 2.0)]) == 12.0
    rows.changes([7, 8, 9], [whole + 1, torch.ones(2), expanded * 3])
    means = {int(row[0]): row[8] for row in taken(rows)}
    assert means == {1: 1.0, 2: 0.0, 3: 1.0, 4: 1.0, 5: 0.5, 6: 2.0, 7: 1.0, 8: 1.0, 9: 2.0}
    assert len(rows.take()) == 0


@pytest.mark.usefixtures("instructions")
@given(st.lists(st.tuples(ANY, st.sampled_from(FLOATS)), max_size=4))
@settings(max_examples=100, deadline=None)
def test_the_sum_of_squares_is_that_of_the_moments(pairs):
    tensors = [torch.from_numpy(values.copy()).to(dtype) for values, dtype in pairs] + [torch.arange(5)]
    power = 0.0
    for one in native_kernel.measure_all(tensors):
        power += nan if one.nans else inf if one.infs else one.squares + one.elements * one.mean**2
    assert native_kernel.sum_of_squares(tensors) == pytest.approx(power, rel=1e-4, nan_ok=True)


def test_no_sum_of_squares_is_given_of_what_cannot_be_read():
    assert native_kernel.sum_of_squares([torch.ones(3), torch.ones(2, dtype=torch.complex64)]) is None
    assert native_kernel.sum_of_squares([]) == 0.0


def with_gradient(gradient):
    parameter = torch.nn.Parameter(torch.zeros(gradient.shape, dtype=gradient.dtype))
    parameter.grad = gradient
    return parameter


def test_the_power_of_gradients_leaves_out_what_has_none():
    parameters = [with_gradient(torch.full((3,), 2.0)), torch.nn.Parameter(torch.ones(2)), with_gradient(torch.ones(1))]
    assert native_kernel.gradient_power(parameters) == 13.0
    assert native_kernel.gradient_power(parameters[1:2]) is None
    assert native_kernel.gradient_power([]) is None


def test_no_power_is_given_of_gradients_that_cannot_be_read():
    sparse = with_gradient(torch.eye(3).to_sparse())
    assert native_kernel.gradient_power([with_gradient(torch.ones(3)), sparse]) is None
    assert native_kernel.gradient_power([with_gradient(torch.ones(2, dtype=torch.complex64))]) is None


def test_gradients_that_are_not_finite_have_no_finite_power():
    assert isnan(native_kernel.gradient_power([with_gradient(torch.tensor([1.0, nan]))]))


def test_what_has_no_gradient_attribute_is_an_error():
    with pytest.raises(AttributeError):
        native_kernel.gradient_power([1.0])


def test_wrong_pairs_are_an_error():
    with pytest.raises(ValueError, match="1 series for 2 tensors"):
        native_kernel.UpdateRows(3).add([1], [torch.ones(1), torch.ones(1)])
    with pytest.raises(TypeError):
        native_kernel.UpdateRows(3).add(["one"], [torch.ones(1)])
    with pytest.raises(TypeError):
        native_kernel.UpdateRows(3).before(None, [])


def test_a_sample_has_at_least_one_element():
    with pytest.raises(ValueError, match="at least one"):
        native_kernel.UpdateRows(0)
    with pytest.raises(ValueError, match="at least one"):
        _native.histogram(torch.ones(1), 0)


CALLS = 1_000_000


class Owner:
    """What the native one asks for, and is told."""

    def __init__(self):
        self.heard = []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *event: self.heard.append((name, *event))

    def series(self, layer, role, phase):
        return {"act": 1, "act_grad": 2}[role] + 10 * (phase == "eval") + layer


class Pass:
    phase = "train"


@pytest.fixture
def layer_calls():
    owner, module = Owner(), torch.nn.Identity()
    calls = _native.LayerCalls(lambda _, x: x, owner)
    calls.armed = True
    calls.know(module, 100, False)
    return calls, owner, module


def table_of(calls, one=None):
    return np.frombuffer(calls.rows(one)).reshape(-1, 13)


@pytest.mark.usefixtures("instructions")
def test_what_a_layer_gives_and_its_gradient_become_rows(layer_calls):
    calls, owner, module = layer_calls
    first, second = Pass(), Pass()
    second.phase = "eval"
    for one, times in ((first, 2), (second, 1)):
        calls.begin(one, True, True, False)
        for time in range(times):
            x = torch.full((2, 3), 2.0 + time, requires_grad=True) * 1.0
            calls(module, x).sum().mul(4.0).backward()
        calls.end()
    assert not calls.is_empty
    rows = table_of(calls)
    assert rows[:, [0, 1, 2, 8]].tolist() == [[101, 2, 12, 2.5], [102, 2, 12, 4], [111, 1, 6, 2], [112, 1, 6, 4]]
    assert calls.is_empty
    assert calls.counts() == [(100, 3)]
    assert calls.counts() == owner.heard == []
    assert calls.take_seconds() > calls.take_seconds() == 0


def test_passes_are_taken_one_by_one(layer_calls):
    calls, _, module = layer_calls
    first, second = Pass(), Pass()
    for one in (first, second):
        calls.begin(one, False, True, False)
        calls(module, torch.ones(3))
    assert [item[:4] for item in calls.items(first)] == [(100, "act", first, 1)]
    assert table_of(calls, second)[:, 0].tolist() == [101]
    assert calls.is_empty


@pytest.mark.parametrize("in_place", [False, True])
def test_a_container_gives_what_its_last_layer_gave(layer_calls, in_place):
    calls, _, module = layer_calls
    container = torch.nn.Identity()
    calls.know(container, 200, True)
    calls.begin(Pass(), True, True, False)
    x = calls(module, torch.ones(3, requires_grad=True) * 1.0)
    kept = x._backward_hooks
    if in_place:
        x.mul_(3.0)
    assert calls.see(container, x)
    assert len(kept) == 1
    x.sum().backward()
    means = {row[0]: row[8] for row in table_of(calls)}
    assert means[201] == (3.0 if in_place else 1.0)
    assert means[202] == 1.0


def test_a_hook_of_the_programs_own_between_two_layers_is_respected(layer_calls):
    calls, _, module = layer_calls
    container = torch.nn.Identity()
    calls.know(container, 200, True)
    calls.begin(Pass(), True, True, False)
    x = calls(module, torch.ones(3, requires_grad=True) * 1.0)
    handle = x.register_hook(lambda gradient: gradient * 5)
    calls.see(container, x)
    x.sum().backward()
    handle.remove()
    assert {row[0]: row[8] for row in table_of(calls)} == {101: 1, 102: 1, 201: 1, 202: 5}


def test_what_is_not_known_goes_to_python(layer_calls):
    calls, owner, module = layer_calls
    stranger, one, x = torch.nn.Identity(), Pass(), torch.ones(2)
    assert calls(stranger, x) is x
    calls.begin(one, True, True, True)
    assert calls(stranger, x) is x
    pair = (x, x)
    assert calls(module, pair) is pair
    calls(module, torch.arange(3))
    assert calls.is_empty
    both = [("enter", stranger, (x,)), ("leave", stranger, (x,), x)]
    assert owner.heard == [*both, *both, ("output", 100, module, pair, one)]


@pytest.mark.parametrize("full", [False, True])
def test_what_is_not_finite_is_told_at_once(layer_calls, full):
    calls, owner, module = layer_calls
    calls.begin(Pass(), True, full, True)
    x = calls(module, torch.tensor([1.0, np.inf], requires_grad=True) * 1.0)
    (x * torch.tensor([np.nan, 1.0])).sum().backward()
    assert [event[:3] for event in owner.heard] == [("trouble", 100, "act"), ("trouble", 100, "act_grad")]
    assert calls.is_empty is not full


def test_errors_of_a_module_are_its_own():
    owner, module = Owner(), torch.nn.Identity()
    calls = _native.LayerCalls(lambda *_: 1 / 0, owner)
    calls.armed = True
    with pytest.raises(ZeroDivisionError):
        calls(module, 1)
    assert owner.heard == [("enter", module, (1,)), ("leave", module, (1,), None)]
    calls.know(module, 1, False)
    calls.begin(Pass(), True, True, False)
    with pytest.raises(ZeroDivisionError):
        calls(module, 1)


def test_errors_of_ours_go_to_the_owner(layer_calls):
    calls, owner, module = layer_calls
    error = ValueError("ours")

    def raising(*_):
        raise error

    owner.output = raising
    calls.begin(Pass(), True, True, False)
    assert calls(module, "no tensor") == "no tensor"
    assert owner.heard == [("failed", error)]
    owner.output = lambda *_: sys.exit(3)
    with pytest.raises(SystemExit):
        calls(module, "no tensor")


def test_nothing_is_looked_at_after_the_end(layer_calls):
    calls, owner, module = layer_calls
    calls.begin(Pass(), True, True, False)
    x = calls(module, torch.ones(3, requires_grad=True) * 1.0)
    calls.stop()
    x.sum().backward()
    calls(module, x)
    assert calls.is_empty
    assert owner.heard == []
    assert len(calls.rows(None)) == 0


class Outside(Owner):
    """Takes each call from outside for a pass, as long as there is none."""

    begins = True

    def begin_pass(self, module, args, kwargs):
        self.heard.append(("begin_pass", module, args, kwargs))
        return self.begins


@pytest.fixture
def followed():
    owner, module = Outside(), torch.nn.Identity()
    calls = _native.LayerCalls(lambda _, x, **_kwargs: 1 / x if isinstance(x, int) else x, owner)
    calls.follow(module)
    assert calls.follows(module)
    return calls, owner, module


def test_calls_of_a_module_that_is_followed_are_passes(followed):
    calls, owner, module = followed
    other = torch.nn.Identity()
    assert calls(other, "x") == "x"
    assert calls(module, "x", deep=True) == "x"
    assert owner.heard == [("begin_pass", module, ("x",), {"deep": True}), ("end_pass", module, ("x",), "x")]
    assert not calls.follows(other)


def test_a_pass_that_raises_is_told_of_and_its_error_goes_on(followed):
    calls, owner, module = followed
    with pytest.raises(ZeroDivisionError):
        calls(module, 0)
    assert owner.heard[1:] == [("end_pass", module, (0,), None)]


def test_a_call_that_is_no_pass_has_no_end(followed):
    calls, owner, module = followed
    owner.begins = False
    calls.armed = True
    assert calls(module, "x") == "x"
    assert [event[0] for event in owner.heard] == ["begin_pass", "enter", "leave"]


def test_a_module_that_is_found_in_a_call_begins_its_pass_with_it(followed):
    calls, owner, _ = followed
    new = torch.nn.Identity()
    owner.enter = lambda module, _: calls.follow(module)
    calls.armed = True
    calls(new, "x")
    assert [event[0] for event in owner.heard] == ["begin_pass", "end_pass", "leave"]


def test_what_the_module_of_a_pass_gave_is_measured_before_its_end(followed):
    calls, owner, module = followed
    one = Pass()
    calls.know(module, 100, False)
    owner.begin_pass = lambda *_: calls.begin(one, False, True, False) is None
    owner.end_pass = lambda *_: calls.end()
    calls(module, torch.full((3,), 2.0))
    assert table_of(calls)[:, [0, 1, 2, 8]].tolist() == [[101, 1, 3, 2.0]]
    assert one.entry_seen


def test_a_watch_may_end_inside_of_a_pass(followed):
    _, owner, module = followed
    calls = _native.LayerCalls(lambda _, x: calls.stop() or x, owner)
    calls.follow(module)
    assert [calls(module, "x"), calls(module, "y")] == ["x", "y"]
    assert [event[0] for event in owner.heard] == ["begin_pass", "end_pass"]
    assert not calls.follows(module)


def test_it_is_bound_like_a_function(layer_calls):
    calls, _, _ = layer_calls

    class Called:
        __call__ = calls

    assert Called.__call__ is calls
    assert Called()(5) == 5
    assert Called().__call__(6) == 6
    assert callable(calls.__wrapped__)


@pytest.mark.parametrize("leaks", ["measure", "otherwise", "large", "copies", "capsule", "layers", "passes"])
def test_no_reference_is_lost(leaks):
    """A million calls in all."""
    tensor, sparse = torch.ones(3), "no tensor"
    large = torch.ones(70_000)
    rows = native_kernel.UpdateRows(10)

    def refused():
        with pytest.raises(AttributeError):
            native_kernel.measure(sparse)

    def kept():
        rows.before((1, 2), (tensor, large))
        rows.add((1, 2), (tensor, large))
        rows.changes((3, 4), (tensor, large))
        native_kernel.sum_of_squares((tensor, large))
        rows.take()

    owner, module, one = Owner(), torch.nn.Identity(), Pass()
    calls = _native.LayerCalls(lambda _, x: x, owner)
    calls.armed = True

    def called():
        calls.know(module, 100, False)
        calls.begin(one, True, True, True)
        weight = tensor.requires_grad_() * 1.0
        for _ in range(50):
            weight = calls(module, weight * 1.0)
        weight.sum().backward()
        tensor.grad = None
        calls.rows(None)
        calls(module, "no tensor")
        calls.end()
        calls.counts()
        owner.heard.clear()

    outside = Outside()
    passes = _native.LayerCalls(lambda _, x, **__: x, outside)
    passes.follow(module)

    def passed():
        for outside.begins in (True, False):
            assert passes(module, tensor, large=large) is tensor
        passes.follow(module)
        outside.heard.clear()

    work = {
        "layers": (called, 2000),
        "passes": (passed, 5000),
        "measure": (lambda: native_kernel.measure_all([tensor] * 1000), CALLS // 1000),
        "otherwise": (refused, 1000),
        "large": (lambda: native_kernel.measure(large), 2000),
        "copies": (kept, 2000),
        "capsule": (lambda: native_kernel.log2_histogram(tensor), 5000),
    }
    call, times = work[leaks]
    for _ in range(200):
        call()
    gc.collect()
    before = (sys.getallocatedblocks(), sys.getrefcount(tensor), sys.getrefcount(large), sys.getrefcount(Summary))
    for _ in range(times):
        call()
    gc.collect()
    after = (sys.getallocatedblocks(), sys.getrefcount(tensor), sys.getrefcount(large), sys.getrefcount(Summary))
    assert after[1:] == before[1:]
    # What is lost is lost in each call; a few blocks more belong to whatever else this process has going on.
    assert after[0] - before[0] < times // 2
