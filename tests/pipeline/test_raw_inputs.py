"""Tests of raw inputs: what goes into transforms is seen, and the program's objects are as before."""

import numpy as np
import pytest
from PIL import Image
from torch.utils.data import ConcatDataset, Subset

from stetho.pipeline.raw_inputs import RawInputs
from stetho.pipeline.stages import Stages


class Double:
    factor = 2

    def __call__(self, row):
        row *= self.factor
        return row


class Rows:
    def __init__(self, transform):
        self.transform, self.target_transform = transform, lambda label: label

    def __len__(self):
        return 3

    def __getitem__(self, index):
        label = self.target_transform(index)
        return self.transform(np.full(2, float(index))), label, getattr(self.transform, "factor", None)


@pytest.mark.parametrize(
    "wrap", [lambda rows: rows, lambda rows: Subset(rows, [0, 1, 2]), lambda rows: ConcatDataset([rows])]
)
def test_sees_what_goes_in_also_in_subsets_and_with_transforms_that_work_in_place(wrap):
    rows = wrap(Rows(Double()))
    raw = RawInputs()
    with raw.followed([rows]):
        raw.begin()
        row, _, factor = rows[2]
    assert (row.tolist(), factor, raw.taken[0].tolist()) == ([4.0, 4.0], 2, [2.0, 2.0])


def test_the_outermost_transform_counts_and_each_sample_begins_anew():
    rows = Rows(Double())
    raw = RawInputs()
    with raw.followed([rows]):
        raw.begin()
        assert rows[0]
        assert raw.taken is not None
        raw.begin()
        assert raw.taken is None


def test_everything_is_put_back_also_after_an_error():
    transform = Double()
    rows = Rows(transform)
    with pytest.raises(KeyError), RawInputs().followed([rows, 3, None]):
        raise KeyError
    assert rows.transform is transform


def test_what_stands_in_is_taken_for_the_transform():
    rows = Rows(Double())
    with RawInputs().followed([rows]):
        assert isinstance(rows.transform, Double)
        assert type(rows.transform).__name__ == "Double"


def test_the_copies_are_no_stage_of_a_sample():
    class Images(Rows):
        def __getitem__(self, _index):
            return self.transform(Image.new("L", (4, 4)))

    images, raw, stages = Images(lambda image: image), RawInputs(), Stages()
    with raw.followed([images]):
        raw.begin()
        stages.follow(lambda: images[0])
    assert not any("copy" in stage.name for stage in stages.stages())
    assert raw.taken[0].size == (4, 4)


def test_attributes_that_are_set_on_a_transform_reach_it():
    rows = Rows(Double())
    with RawInputs().followed([rows]):
        rows.transform.factor = 5
    assert rows.transform.factor == 5
