"""Models whose calls leave something behind are left alone."""

import shutil
import types

import pytest
from torch import nn

from stetho.capture.torch.probes.side_effects import reason_against

SEEN = []
SIZES = {"width": 4}


def remembered(x):
    SEEN.append(x)
    return x


helpers = types.ModuleType("helpers")
helpers.remembered = remembered


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(4, 4)

    def forward(self, x):
        return self.inner(x) * SIZES["width"]


class Printing(nn.Module):
    def forward(self, x):
        return self.shown(x)

    def shown(self, x):
        print(x.shape)
        return x


class Remembering(nn.Module):
    def forward(self, x):
        SEEN.append(x)
        return x


class Counting(nn.Module):
    def forward(self, x):
        global COUNT
        COUNT = 1
        return x


def told_of(x):
    print(x.shape)


def halved(x):
    told_of(x)
    return x / 2


class Calling(nn.Module):
    def forward(self, x):
        return halved(x)


class Copying(nn.Module):
    def forward(self, x):
        shutil.copy("a", "b")
        return x


class Elsewhere(nn.Module):
    def forward(self, x):
        return helpers.remembered(x)


def wrapped_in(function):
    def wrapper(self, x):
        return function(self, x)

    class Wrapped(nn.Module):
        forward = wrapper

    return Wrapped()


def with_a_teacher():
    teacher = nn.Linear(4, 4)

    class Student(nn.Module):
        def forward(self, x):
            return teacher(x)

    return Student()


def test_a_model_that_only_computes_may_be_called():
    assert reason_against(nn.Sequential(Plain(), nn.ReLU())) is None


@pytest.mark.parametrize(
    ("model", "name"),
    [
        (Printing(), "print"),
        (Remembering(), "SEEN"),
        (Counting(), "COUNT"),
        (with_a_teacher(), "teacher"),
        (Calling(), "print"),
        (Copying(), "shutil"),
        (Elsewhere(), "SEEN"),
        (wrapped_in(Remembering.forward), "SEEN"),
    ],
)
def test_one_that_leaves_something_behind_may_not(model, name):
    assert f"`{name}`" in reason_against(nn.Sequential(model))
