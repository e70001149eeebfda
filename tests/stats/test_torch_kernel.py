"""The kernel, held against plain numpy in double precision. Any warning of numpy or torch fails these tests."""

from math import inf, nan

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from stetho.stats import torch_kernel
from stetho.stats.summary import EMPTY
from stetho.stats.torch_kernel import SMALL, columns_of, fetch, hold, measure, measure_values
from stetho.store.format import MEASURES

FLOATS = [torch.float16, torch.bfloat16, torch.float32, torch.float64]
WHOLE = [torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64]
ODD = [nan, inf, -inf, 0.0, -0.0, 1e-45, -1e-38, 3e38, -3e38, 1.0]

SHAPES = array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=5)
ELEMENTS = st.floats(width=32) | st.sampled_from(ODD)
ARRAYS = arrays(np.float32, SHAPES, elements=ELEMENTS)
TAME = arrays(np.float32, array_shapes(max_dims=3, max_side=12), elements=st.floats(-1000, 1000, width=32))


def row_of(tensor: torch.Tensor) -> dict[str, float]:
    return dict(zip(MEASURES, fetch([measure(tensor)])[0].row(1), strict=True))


def reference(values: torch.Tensor) -> dict[str, float]:
    """The same measures with numpy in double precision."""
    if values.is_complex():
        values = torch.view_as_real(values.resolve_conj())
    flat = values.detach().to(torch.float64).numpy().ravel()
    finite = flat[np.isfinite(flat)]
    counts = {
        "calls": 1,
        "count": len(flat),
        "nan": int(np.isnan(flat).sum()),
        "inf": int(np.isinf(flat).sum()),
        "zeros": int((flat == 0).sum()),
    }
    if len(finite) == 0:
        return counts | dict.fromkeys(MEASURES[5:], nan)
    return counts | {
        "min": finite.min(),
        "max": finite.max(),
        "mean": finite.mean(),
        "std": finite.std(),
        "rms": np.sqrt(np.square(finite).mean()),
        "absmax": np.abs(finite).max(),
        "ratio": nan,
    }


def assert_right(tensor: torch.Tensor) -> None:
    measured, expected = row_of(tensor), reference(tensor.to_dense() if tensor.is_sparse else tensor)
    exact = ("calls", "count", "nan", "inf", "zeros", "min", "max", "absmax")
    assert [measured[key] for key in exact] == pytest.approx(
        [expected[key] for key in exact], rel=0, abs=0, nan_ok=True
    )
    # Sums are of 32 bits: what they may be wrong by is relative to the size of the values, not to their mean.
    size = 0.0 if np.isnan(expected["rms"]) else expected["rms"]
    for key in ("mean", "std", "rms"):
        assert measured[key] == pytest.approx(expected[key], rel=2e-3, abs=1e-5 * size, nan_ok=True), key


@given(ARRAYS)
@settings(max_examples=100, deadline=None)
def test_any_values_and_shapes(values):
    assert_right(torch.from_numpy(values.copy()))


@given(ARRAYS, st.sampled_from([torch.float16, torch.bfloat16, torch.float64]))
@settings(max_examples=50, deadline=None)
def test_any_floating_type(values, dtype):
    assert_right(torch.from_numpy(values.copy()).to(dtype))


@given(arrays(np.int64, SHAPES, elements=st.integers(-(2**62), 2**62)), st.sampled_from(WHOLE))
@settings(max_examples=50, deadline=None)
def test_any_whole_type(values, dtype):
    assert_right(torch.from_numpy(values.copy()).to(dtype))


@given(arrays(np.complex64, SHAPES, elements=st.complex_numbers(width=64)), st.booleans())
@settings(max_examples=50, deadline=None)
def test_complex_numbers_count_as_two_real_ones(values, conjugated):
    tensor = torch.from_numpy(values.copy())
    assert_right(tensor.conj() if conjugated else tensor)


@given(TAME, st.data())
@settings(max_examples=50, deadline=None)
def test_any_stride(values, data):
    tensor = torch.from_numpy(values.copy())
    axes = data.draw(st.permutations(range(tensor.dim())))
    steps = [data.draw(st.sampled_from([1, 2, 3])) for _ in axes]
    strided = tensor.permute(axes)[tuple(slice(None, None, step) for step in steps)]
    assert_right(strided)
    assert_right(strided.unsqueeze(0).expand(3, *strided.shape))


@given(TAME)
@settings(max_examples=50, deadline=None)
def test_a_sparse_tensor_is_measured_by_its_values(values):
    tensor = torch.from_numpy(values.copy())
    sparse = tensor.to_sparse()
    assert row_of(sparse) == pytest.approx(row_of(tensor[tensor != 0]), nan_ok=True)
    assert sparse._nnz() == row_of(sparse)["count"]


def test_a_sparse_tensor_with_doubled_places_is_added_up_first():
    doubled = torch.sparse_coo_tensor([[0, 0]], [1.0, 2.0], (3,), check_invariants=True)
    assert row_of(doubled)["max"] == 3.0
    assert row_of(doubled)["count"] == 1


@pytest.mark.parametrize("values", [[0.0, 1.0, 2.0], [], [nan]])
def test_a_view_with_flipped_sign_is_measured_with_that_sign(values):
    negated = torch.complex(torch.zeros(len(values)), torch.tensor(values)).conj().imag
    assert negated.is_neg() or not values
    assert_right(negated)


@pytest.mark.filterwarnings("ignore:Sparse CSR:UserWarning")
def test_compressed_rows_are_measured_by_their_values():
    assert row_of(torch.tensor([[0.0, 3.0], [1.0, 0.0]]).to_sparse_csr())["mean"] == 2.0


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("count", [1, 7, SMALL, SMALL + 1])
def test_a_constant_far_from_zero_has_no_deviation(dtype, count):
    row = row_of(torch.full((count,), 1000.0, dtype=dtype))
    assert (row["mean"], row["std"], row["rms"]) == (1000.0, 0.0, 1000.0)


@pytest.mark.parametrize("count", [100, SMALL + 1])
def test_a_small_deviation_far_from_zero_is_not_lost_in_rounding(count):
    values = torch.linspace(0, 1, count) + 4096.0
    assert row_of(values)["std"] == pytest.approx(values.double().std(correction=0).item(), rel=1e-4)


@pytest.mark.parametrize("scale", [1e-40, 1e-30, 1e-20, 1e18, 1e25, 1e37])
@pytest.mark.parametrize("count", [100, SMALL + 1])
def test_squares_that_leave_the_range_of_the_type_are_right_all_the_same(scale, count):
    assert_right(torch.linspace(-1, 2, count) * scale)


@pytest.mark.parametrize("scale", [1e-200, 1e150, 1e300])
def test_double_precision_beyond_any_square_keeps_its_extremes(scale):
    row = row_of(torch.linspace(-1, 2, 100, dtype=torch.float64) * scale)
    assert (row["min"], row["max"]) == (-scale, 2 * scale)
    assert row["count"] == 100


@pytest.mark.parametrize("count", [SMALL, SMALL + 1, 100_003])
def test_many_elements_with_some_that_are_not_finite(count):
    values = torch.randn(count, generator=torch.Generator().manual_seed(0))
    assert_right(values)
    values[5], values[50], values[500], values[-1] = nan, inf, -inf, 0.0
    assert_right(values)


@pytest.mark.parametrize("value", [inf, -inf, nan])
@pytest.mark.parametrize("count", [1, 5, SMALL + 1])
def test_a_tensor_without_any_finite_value_is_no_constant(value, count):
    row = row_of(torch.full((count,), value))
    assert row["nan"] + row["inf"] == count
    assert np.isnan(row["absmax"])


def test_nothing_at_all():
    assert measure(torch.empty(3, 0)) == EMPTY


def test_measuring_changes_neither_the_tensor_nor_the_graph_nor_the_random_state():
    tensor = torch.randn(50, requires_grad=True)
    output = tensor * 2
    version, state, node = output._version, torch.get_rng_state(), output.grad_fn
    measure(output)
    assert (output._version, output.grad_fn) == (version, node)
    assert torch.equal(torch.get_rng_state(), state)


@pytest.mark.parametrize("mode", [torch.no_grad, torch.inference_mode, lambda: torch.autocast("cpu", torch.bfloat16)])
def test_the_mode_of_the_program_does_not_matter(mode):
    with mode():
        assert_right(torch.linspace(-1, 3, 1000))


@given(st.lists(ARRAYS, min_size=1, max_size=5))
@settings(deadline=None, max_examples=50)
def test_numbers_that_wait_on_a_device_come_to_the_same(values):
    # A quarter of the range: a device computes in 32 bits, where the largest number less its opposite is infinite.
    tensors = [torch.from_numpy(one.copy()).reshape(-1) / 4 for one in values if one.size]
    waiting = [torch_kernel._on_device(tensor) for tensor in tensors]
    at_once = [measure(tensor) for tensor in tensors]
    for summary, expected in zip(fetch(waiting), at_once, strict=True):
        row, right = (dict(zip(MEASURES, one.row(1), strict=True)) for one in (summary, expected))
        size = 0.0 if np.isnan(right["rms"]) else right["rms"]
        assert row == pytest.approx(right, rel=1e-3, abs=1e-5 * size + 1e-40, nan_ok=True)


def test_finished_and_waiting_summaries_come_back_in_their_order():
    kept = [
        measure(torch.ones(1)),
        torch_kernel._on_device(torch.ones(2)),
        EMPTY,
        torch_kernel._on_device(torch.ones(4)),
    ]
    assert [summary.elements for summary in fetch(kept)] == [1, 2, 0, 4]
    assert all(isinstance(number, int) for number in fetch(kept)[1][:4])


@pytest.mark.parametrize("count", [0, 1, SMALL, SMALL + 1])
def test_a_small_tensor_waits_as_a_copy(count):
    tensor = torch.ones(count, requires_grad=True)
    waiting = hold(tensor)
    assert isinstance(waiting, np.ndarray) == (0 < count <= SMALL)
    with torch.no_grad():
        tensor.add_(1.0)
    assert fetch([waiting])[0] == measure(torch.ones(count))


ODDLY_KEPT = [
    lambda: torch.complex(torch.zeros(1), torch.ones(1)).conj().imag,  # the sign is flipped when it is read
    lambda: torch._efficientzerotensor(3),  # was never stored
    lambda: torch.ones(2, 3).t(),
    lambda: torch.ones(3).to_sparse(),
    lambda: torch.ones(3, dtype=torch.bfloat16),
]


@pytest.mark.parametrize("make", ODDLY_KEPT)
def test_a_tensor_that_numpy_cannot_read_is_measured_at_once(make):
    assert fetch([hold(make())]) == [measure(make())]


def test_an_array_is_measured_like_its_tensor():
    values = torch.linspace(-1, 2, 300_000)
    assert measure_values(values.numpy()) == measure(values)
    assert measure_values(values[:0].numpy()) == EMPTY


def test_columns_are_what_is_fetched():
    def pending():
        return [measure(torch.ones(2)), hold(torch.tensor([0.0, 3.0])), torch_kernel._on_device(torch.ones(4)), EMPTY]

    places, columns = columns_of(pending())
    assert [fetch(pending())[place] for place in places] == [tuple(column) for column in columns.T.tolist()]
    assert sorted(places) == [0, 1, 2, 3]


def test_there_may_be_no_columns():
    assert columns_of([])[1].shape == (8, 0)
