import numpy as np
import pytest
import torch

from stetho.stats import histogram, torch_kernel
from stetho.stats.arrays import array_of

NUMPY_TYPES = (torch.float16, torch.float32, torch.float64, torch.uint8, torch.int64, torch.bool, torch.complex64)


@pytest.mark.parametrize("dtype", NUMPY_TYPES)
def test_an_array_has_the_values_and_the_memory_of_the_tensor(dtype):
    tensor = torch.arange(6).reshape(3, 2).to(dtype)[:, 1]
    array = array_of(tensor)
    assert array.tolist() == tensor.tolist()
    assert array.ctypes.data == tensor.data_ptr()


@pytest.mark.parametrize("tensor", [torch.tensor(3.0), torch.empty(0, 3), torch.ones(2, 1).expand(2, 4)])
def test_any_shape_is_kept(tensor):
    assert array_of(tensor).shape == tuple(tensor.shape)


def test_what_the_memory_does_not_say_is_worked_out():
    negated = torch.complex(torch.zeros(2), torch.ones(2)).conj().imag
    assert negated.is_neg()
    assert array_of(negated).tolist() == [-1.0, -1.0]
    assert array_of(torch.complex(torch.zeros(2), torch.ones(2)).conj()).tolist() == [-1j, -1j]
    assert array_of(torch._efficientzerotensor(3)).tolist() == [0.0, 0.0, 0.0]


def test_an_array_cannot_be_written_to():
    with pytest.raises(ValueError, match="read-only"):
        array_of(torch.ones(2))[0] = 2.0


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float8_e5m2])
def test_types_that_numpy_lacks_are_an_error(dtype):
    with pytest.raises(RuntimeError, match="nsupported"):
        array_of(torch.ones(2).to(dtype))


@pytest.mark.parametrize("measure", [array_of, torch_kernel.measure, torch_kernel.hold, histogram.log2_histogram])
@pytest.mark.parametrize("size", [4, 100_000])
def test_the_program_can_resize_a_storage_that_was_looked_at(measure, size):
    weight = torch.nn.Parameter(torch.ones(size))
    measure(weight)
    assert weight.untyped_storage().resizable()
    weight.untyped_storage().resize_(0)


def test_a_gradient_is_not_asked_for():
    assert np.array_equal(array_of(torch.ones(2, requires_grad=True)), [1.0, 1.0])
