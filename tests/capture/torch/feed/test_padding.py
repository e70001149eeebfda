import torch

from stetho.capture.torch.feed.padding import (
    facts_of_target,
    padded_numbers,
    padded_positions,
    padding_in_target,
    tokens_in,
)

TOKENS = torch.tensor([[5, 6, 7, 8], [5, 6, 0, 0], [5, 0, 0, 0], [9, 8, 7, 0]])


def test_finds_the_end_of_rows_of_different_lengths() -> None:
    assert padded_positions(TOKENS).sum() == 6


def test_finds_none_in_full_rows_numbers_and_pictures() -> None:
    full = torch.arange(32).reshape(4, 8)
    for tokens in (full, TOKENS.float(), TOKENS[None], TOKENS[:2], torch.zeros(4, 4, dtype=torch.int64)):
        assert padded_positions(tokens) is None


def test_an_id_that_is_also_in_the_middle_is_no_padding() -> None:
    assert padded_positions(torch.tensor([[0, 1, 0, 0], [1, 0, 1, 1], [0, 1, 1, 0], [1, 1, 0, 0]])) is None


def test_counts_targets_at_padded_positions() -> None:
    padded = padded_positions(TOKENS)
    facts = padding_in_target(padded, TOKENS.reshape(-1), -100)
    assert facts == {"padding_share": 6 / 16, "padding_target": 0}
    assert padding_in_target(padded, TOKENS, 0)["padding_share"] == 0.0


def test_says_nothing_of_one_label_a_sample() -> None:
    assert padding_in_target(padded_positions(TOKENS), torch.tensor([1, 2, 3, 4]), None) == {}


def test_targets_that_are_the_input_are_told_from_the_next_tokens():
    ids = torch.randint(0, 50, (8, 13))
    tokens = tokens_in(ids[:, :-1])
    assert facts_of_target(tokens, ids, ids[:, :-1].flatten(), None)["target_is_input"] == 1.0
    assert facts_of_target(tokens, ids, ids[:, 1:].flatten(), None)["target_is_input"] < 0.2
    assert facts_of_target(tokens, ids, torch.zeros(8), None) == {}
    assert tokens_in(torch.zeros(4, 3)) is None


INSIDE = torch.arange(10) < torch.tensor([3, 5, 10, 7, 4, 9]).unsqueeze(1)
NUMBERS = torch.randn(6, 10, generator=torch.Generator().manual_seed(0)) * INSIDE


def test_finds_the_end_of_rows_of_numbers() -> None:
    assert torch.equal(padded_numbers(NUMBERS), ~INSIDE)
    assert torch.equal(padded_numbers(torch.stack([NUMBERS, NUMBERS], 2)), ~INSIDE)


def test_pictures_with_dark_borders_and_full_rows_are_not_padded() -> None:
    picture = NUMBERS.clone()
    picture[:, 0] = 0.0
    assert padded_numbers(picture) is None
    assert padded_numbers(torch.randn(6, 10)) is None


def test_numbers_count_at_padded_positions_unless_they_are_masked() -> None:
    tokens = tokens_in(NUMBERS)
    guess = torch.full((6, 10), 0.1)
    assert facts_of_target(tokens, guess, 2 * NUMBERS, None)["padding_share"] == float((~INSIDE).float().mean())
    assert facts_of_target(tokens, guess * INSIDE, 2 * NUMBERS, None) == {}
    assert facts_of_target(tokens, guess, torch.randn(6, 10), None) == {}
    assert facts_of_target(tokens, guess, torch.zeros(6, 10), None) == {}


def test_the_distance_between_inputs_and_targets_is_told():
    ids = torch.randint(0, 50, (8, 14))
    tokens = tokens_in(ids[:, :12])
    for places in (0, 1, 2):
        assert facts_of_target(tokens, ids, ids[:, places : places + 12], None)["target_ahead"] == places
        # Another shape, as after a shift inside of the model, and places that do not count.
        assert facts_of_target(tokens, ids, ids[:, places : places + 10].flatten(), None)["target_ahead"] == places
    shifted = torch.cat([ids[:, 2:12], torch.full((8, 2), -100)], 1)
    assert facts_of_target(tokens, ids, shifted.flatten(), -100)["target_ahead"] == 2


def test_no_distance_is_told_of_labels_and_of_rows_that_repeat_themselves():
    same, labels = torch.ones(8, 12, dtype=torch.int64), torch.randint(0, 50, (8, 12))
    assert "target_ahead" not in facts_of_target(tokens_in(same), same, same, None)
    assert "target_ahead" not in facts_of_target(tokens_in(labels), labels, labels.flip(1), None)
    assert "target_ahead" not in facts_of_target(tokens_in(labels), labels, labels[:, 0], None)


def test_targets_may_be_what_comes_next_in_another_input():
    source, read = torch.randint(0, 30, (6, 9)), torch.arange(60).reshape(6, 10)
    facts = facts_of_target(tokens_in(source, [read[:, :-1]]), read, read[:, 1:], None)
    assert (facts["target_next_along"], facts["target_next_of"]) == (1, 1)
