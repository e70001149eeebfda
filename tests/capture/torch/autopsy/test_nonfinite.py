"""What is not finite in a tensor of any kind."""

import pytest
import torch

from stetho.capture.torch.autopsy.nonfinite import BadPlaces, Trouble, bad_places, can_be_bad, trouble_of

NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize(
    ("tensor", "expected"),
    [
        (torch.tensor([1.0, 2.0]), None),
        (torch.tensor([]), None),
        (torch.tensor([1.0, NAN]), Trouble(True, False)),
        (torch.tensor([INF, -INF]), Trouble(False, True)),
        (torch.tensor([-INF, 1.0]), Trouble(False, True, only_negative=True)),
        (torch.full((4,), 3e38), None),
        (torch.full((100,), 60000.0, dtype=torch.float16), None),
        (torch.tensor([NAN], dtype=torch.bfloat16), Trouble(True, False)),
        (torch.tensor([complex(1, NAN)]), Trouble(True, False)),
        (torch.tensor([[0.0, NAN]]).to_sparse(), Trouble(True, False)),
        (torch.tensor([NAN, 1.0]).to(torch.float8_e5m2), Trouble(True, False)),
    ],
)
def test_tells_what_is_no_number(tensor, expected):
    assert trouble_of(tensor) == expected


def test_nan_comes_before_infinity():
    assert bad_places(torch.tensor([[INF, 1.0], [2.0, NAN]])) == BadPlaces((1, 1), [1], 1)
    assert bad_places(torch.tensor([[INF, 1.0], [2.0, -INF]])) == BadPlaces((0, 0), [0, 1], 2)


def test_where_all_is_finite_there_is_no_place():
    assert bad_places(torch.ones(2, 2)) is None


def test_rows_of_a_batch_are_named():
    assert bad_places(torch.tensor([[1.0], [NAN], [2.0], [NAN]])).rows == [1, 3]
    assert bad_places(torch.tensor(NAN)) == BadPlaces((), [], 1)


def test_only_numbers_with_a_point_can_be_bad():
    assert can_be_bad(torch.ones(1))
    assert not can_be_bad(torch.ones(1, dtype=torch.int64))
    assert not can_be_bad(torch.ones(1, device="meta"))
    assert not can_be_bad(3.0)
