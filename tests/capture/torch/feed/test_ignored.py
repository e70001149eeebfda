"""Labels that the loss leaves out."""

import torch

from stetho.capture.torch.feed.ignored import ignored_inside

WORDS = torch.tensor([[7, 5, 6, 7, 0], [6, 7, 5, 0, 0]])


def test_padding_at_either_end_is_not_inside():
    for rows in ([[1, 2, 3, 0, 0], [1, 0, 0, 0, 0]], [[0, 0, 1, 2, 3], [0, 1, 2, 3, 0]], [[0, 0], [0, 0]]):
        assert ignored_inside(torch.tensor(rows), None, 0) == {}


def test_a_class_between_others_is_inside():
    found = ignored_inside(torch.tensor([[0, 1, 2, 0, 0], [2, 0, 1, 0, 0]]), WORDS, 0)
    assert found == {"ignored_inside": 0.5, "ignored_inside_share": 0.2, "ignored_overlap": 0.0, "ignored_before": 1}


def test_words_that_have_a_label_elsewhere_are_told():
    found = ignored_inside(torch.tensor([[1, 1, 0, 2, 0], [1, 0, 2, 0, 0]]), WORDS, 0)
    assert (found["ignored_inside"], found["ignored_overlap"]) == (1.0, 1.0)


def test_tokens_that_rows_begin_with_and_that_are_left_out_are_counted():
    words = torch.tensor([[2, 7, 5, 6, 0], [2, 8, 5, 0, 0], [3, 5, 7, 5, 0], [9, 9, 9, 9, 0]])
    labels = torch.tensor([[0, 0, 1, 0, 0], [0, 1, 0, 0, 0], [0, 1, 0, 2, 0], [0, 0, 0, 0, 0]])
    assert ignored_inside(words, words, 9) == {}
    assert ignored_inside(labels, words, 0)["ignored_before"] == 3
