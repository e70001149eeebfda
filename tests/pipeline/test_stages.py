"""Tests of stages: each transform is seen with its time and output, and nothing of the program is changed."""

import cProfile
import gc
import sys
from functools import partial

import numpy as np
import pytest
import torch
from torch import nn
from torch.utils.data import Dataset, Subset

from stetho.pipeline.stages import Stages


class Compose:
    def __init__(self, transforms):
        self.transforms = transforms

    def __call__(self, x):
        for transform in self.transforms:
            x = transform(x)
        return x


class Scale:
    def __init__(self, factor):
        self.factor = factor

    def __call__(self, x):
        return x * self.factor


def shifted(x, by=1):
    return x + by


class Images(Dataset):
    def __init__(self, transform):
        self.transform = transform

    def __len__(self):
        return 8

    def __getitem__(self, index):
        return self.transform(np.full((2, 2), float(index)))


def followed(make, samples=3):
    stages = Stages()
    for index in range(samples):
        stages.follow(partial(make, index))
    return stages.stages()


def tree(stages):
    return [(stage.depth, stage.name) for stage in stages if stage.line]


def test_chains_in_chains_partial_functions_and_lambdas_are_seen_in_order():
    chain = Compose([Scale(2), Compose([partial(shifted, by=3), lambda x: x / 2]), Scale(5)])
    names = tree(followed(Images(chain).__getitem__))
    line = test_chains_in_chains_partial_functions_and_lambdas_are_seen_in_order.__code__.co_firstlineno + 1
    assert names == [
        (0, "Images.__getitem__"),
        (1, "Compose"),
        (2, "Scale"),
        (2, "Compose"),
        (3, "shifted"),
        (3, f"lambda in line {line}"),
        (2, "Scale"),
    ]


def test_outputs_are_those_of_the_first_sample():
    stages = followed(Images(Compose([Scale(2), shifted])).__getitem__)
    assert [stage.output for stage in stages if stage.name == "shifted"] == ["float64 [2, 2] 1…1"]


def test_chains_of_modules_are_seen_without_the_machinery_below_a_call_and_also_in_a_subset():
    chain = nn.Sequential(nn.Flatten(), nn.Identity())
    data = Subset(Images(lambda x: chain(torch.tensor(x))), [0, 1, 2])
    stages = followed(data.__getitem__)
    assert [stage.name for stage in stages if stage.is_chained] == ["Sequential", "Flatten", "Identity"]
    assert not any("call_impl" in stage.name for stage in stages)


def test_the_transform_that_makes_nan_is_marked():
    def hole(x):
        return x / x

    with np.errstate(invalid="ignore"):
        stages = followed(Images(Compose([Scale(1.0), hole])).__getitem__)
    assert {stage.name for stage in stages if stage.has_nan} == {"hole", "Compose", "Images.__getitem__"}


def test_generators_are_followed_from_yield_to_yield():
    def source():
        for number in range(5):
            yield shifted(number)

    iterator = source()
    stages = followed(lambda _: next(iterator))
    assert [(stage.name, stage.calls) for stage in stages if stage.line][-2:] == [("source", 1.0), ("shifted", 1.0)]


def test_calls_are_counted_for_each_sample():
    stages = {stage.name: stage for stage in followed(lambda _: [shifted(1) for _ in range(10)])}
    assert stages["shifted"].calls == 10


def test_no_time_is_negative_though_ours_is_taken_off():
    assert all(stage.seconds >= 0 for stage in followed(lambda _: [shifted(1) for _ in range(100)]))


def test_an_error_goes_through_and_the_profiler_of_the_caller_comes_back():
    events = []
    sys.setprofile(lambda *_: events.append(1))
    try:
        before = sys.getprofile()
        with pytest.raises(ZeroDivisionError):
            Stages().follow(lambda: 1 / 0)
        assert sys.getprofile() is before
    finally:
        sys.setprofile(None)


def test_a_profiler_that_cannot_be_put_back_is_left_alone():
    profiler = cProfile.Profile()
    profiler.enable()
    try:
        assert followed(lambda _: shifted(1)) == ()
    finally:
        profiler.disable()


def test_functions_without_a_python_frame_are_seen_by_name():
    stages = followed(lambda _: torch.ones(3).sort())
    assert {"torch.ones", "Tensor.sort"} <= {stage.name.replace("TensorBase", "Tensor") for stage in stages}


class Littering(Compose):
    def __call__(self, x):
        self.kept = [[index] for index in range(20_000)]
        return super().__call__(x)


def test_the_collection_of_garbage_is_no_stage_and_goes_on_afterwards():
    def callback(_phase, _info):
        """Somebody's, called whenever garbage is collected."""

    gc.callbacks.append(callback)
    try:
        names = [stage.name for stage in followed(Littering([shifted]))]
    finally:
        gc.callbacks.remove(callback)
    assert not [name for name in names if "callback" in name]
    assert gc.isenabled()
