import pytest
import torch
from torch.nn import functional
from torch.nn.functional import one_hot

from stetho.capture.torch.losses.margins import know_labels

LABELS = torch.tensor([2, 0, 3, 3, 1])
RIGHT = one_hot(LABELS, 4)
ROWS = torch.arange(5)


def put(scores):
    lower = scores.clone()
    lower[ROWS, LABELS] -= 0.3
    return lower


def changed_where_marked(scores):
    lower = scores.clone()
    lower[RIGHT.bool()] -= 0.3
    return lower


MARGINS = {
    "where": lambda scores: torch.where(RIGHT.bool(), torch.cos(torch.acos(scores) + 0.3), scores),
    "two products": lambda scores: RIGHT * (scores - 0.3) + (1.0 - RIGHT) * scores,
    "filled": lambda scores: scores.masked_fill(RIGHT.bool(), 0.0),
    "scattered": lambda scores: scores.scatter(1, LABELS[:, None], scores.gather(1, LABELS[:, None]) - 0.3),
    "changed in place": put,
    "changed where marked": changed_where_marked,
}


@pytest.fixture
def scores():
    weight = torch.rand(4, 6, generator=torch.Generator().manual_seed(0)) - 0.5
    return functional.linear(torch.ones(5, 6) / 6, weight.requires_grad_())


@pytest.mark.parametrize("margin", MARGINS)
def test_sees_that_the_right_answers_are_treated_unlike_the_others(scores, margin):
    assert know_labels(16.0 * MARGINS[margin](scores), LABELS)


@pytest.mark.parametrize("margin", MARGINS)
def test_what_is_chosen_by_other_labels_is_no_margin(scores, margin):
    assert not know_labels(16.0 * MARGINS[margin](scores), LABELS.roll(1))


def test_plain_scores_know_nothing(scores):
    assert not know_labels(scores, LABELS)
    assert not know_labels(scores.detach(), LABELS)
    assert not know_labels(functional.dropout(scores, 0.5) * torch.rand(4), LABELS)


def test_an_input_that_is_what_is_asked_for_is_no_margin():
    table = torch.rand(4, 4, requires_grad=True)
    assert not know_labels(2.0 * functional.embedding(LABELS, table), LABELS)


def test_labels_that_do_not_choose_among_scores_are_not_looked_for(scores):
    marked = MARGINS["where"](scores)
    assert not know_labels(marked, RIGHT.float())
    assert not know_labels(marked.reshape(5, 2, 2), LABELS)
    assert not know_labels(marked[:, :1], LABELS)


def test_what_was_changed_since_it_was_kept_is_left_alone(scores):
    mask = RIGHT.float()
    marked = scores * mask
    mask.add_(1)
    assert not know_labels(marked, LABELS)
