"""Which kernel is used, and that both have the same names."""

import importlib
import inspect
import sys

import pytest
import torch

from stetho.stats import histogram, kernel, torch_kernel, update_rows


@pytest.fixture
def choose(monkeypatch):
    """Choose again, in an environment; the choice of before comes back."""

    def chosen(**environment):
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        monkeypatch.delitem(sys.modules, "stetho.stats.kernel")
        return importlib.import_module("stetho.stats.kernel")

    yield chosen
    sys.modules["stetho.stats.kernel"] = kernel
    sys.modules["stetho.stats"].kernel = kernel


def test_plain_torch_can_be_asked_for(choose):
    again = choose(STETHO_KERNEL="torch")
    assert (again.NAME, again.REASON) == ("torch", "asked for by STETHO_KERNEL=torch")
    assert again.measure is torch_kernel.measure
    assert again.UpdateRows is update_rows.UpdateRows
    assert again.sum_of_squares is update_rows.sum_of_squares
    assert again.log2_histogram is histogram.log2_histogram


def test_plain_torch_measures_where_nothing_was_built(choose, monkeypatch):
    monkeypatch.setitem(sys.modules, "stetho.stats._native", None)
    monkeypatch.delattr("stetho.stats._native", raising=False)
    again = choose(STETHO_KERNEL="")
    assert again.NAME == "torch"
    assert again.REASON.startswith("the native kernel was not built here")
    assert again.fetch([again.measure(torch.ones(3))])[0].mean == 1.0


def test_a_native_kernel_that_gives_wrong_numbers_is_not_used(choose, monkeypatch):
    native_kernel = pytest.importorskip("stetho.stats.native_kernel")
    monkeypatch.setattr(native_kernel, "measure", lambda _: torch_kernel.EMPTY)
    again = choose(STETHO_KERNEL="")
    assert (again.NAME, again.REASON) == ("torch", "the native kernel cannot read this torch's tensors")


def test_the_native_kernel_is_used_where_it_was_built(choose):
    native_kernel = pytest.importorskip("stetho.stats.native_kernel")
    again = choose(STETHO_KERNEL="")
    assert again.NAME == "native"
    assert again.measure is native_kernel.measure
    assert again.REASON.endswith(native_kernel.WAY)


def test_both_kernels_have_the_same_methods():
    native_kernel = pytest.importorskip("stetho.stats.native_kernel")
    for name in ("before", "add", "changes", "take", "clear"):
        ours, theirs = (getattr(kind, name) for kind in (native_kernel.UpdateRows, update_rows.UpdateRows))
        assert [*inspect.signature(ours).parameters] == [*inspect.signature(theirs).parameters]
