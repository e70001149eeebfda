"""Models whose calls leave something behind are left alone."""

import pytest
from torch import nn

from stetho.capture.torch.probes.side_effects import reason_against

SEEN = []
SIZES = {"width": 4}


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
    [(Printing(), "print"), (Remembering(), "SEEN"), (Counting(), "COUNT"), (with_a_teacher(), "teacher")],
)
def test_one_that_leaves_something_behind_may_not(model, name):
    assert f"`{name}`" in reason_against(nn.Sequential(model))
