"""Tests of births: the function that makes the NaN of a sample is named."""

import numpy as np
import torch
from torch.utils.data import DataLoader

from stetho.pipeline.births import birth_of_nan
from stetho.pipeline.sources import sources_of


def divided(row):
    with np.errstate(invalid="ignore"):
        return row / row


def shifted(row):
    return row + 1


class Rows:
    def __init__(self, rows, *steps):
        self.rows, self.steps = rows, steps
        self.transform = self.through

    def through(self, row):
        for step in self.steps:
            row = step(row)
        return row

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return self.transform(self.rows[index])


def birth(rows, key=0):
    (source,) = sources_of(rows, "rows").values()
    return birth_of_nan(source, key)


def test_the_innermost_function_that_gives_the_first_nan_is_named_with_its_line():
    told = birth(Rows([np.ones(2), np.zeros(2)], shifted, lambda row: row - 1, divided, shifted), 1)
    assert told.startswith("`divided` (")
    assert told.endswith(f"test_births.py:{divided.__code__.co_firstlineno}) is the first to give them")


def test_a_hole_in_the_data_is_no_fault_of_a_transform():
    assert birth(Rows([np.array([np.nan, 1.0])], shifted)) == "they are in the data before any transform"


def test_nothing_is_said_where_the_sample_cannot_be_made_again():
    assert birth(Rows([np.ones(2)], shifted)) is None
    assert birth(iter([np.array([np.nan])])) is None
    assert birth(Rows([], shifted), 5) is None


def test_samples_of_a_loader_are_made_again():
    assert "divided" in birth(DataLoader(Rows([np.zeros(2)], divided, torch.from_numpy)))
