"""Targets that are the inputs one position later."""

import torch

from stetho.capture.torch.feed.ahead import beside, next_along, same_along

TEXT = torch.randint(0, 30, (6, 13), generator=torch.Generator().manual_seed(0))
WAVE = torch.randn(6, 13, 2, generator=torch.Generator().manual_seed(1))


def test_rows_of_a_language_model_are_known_flat_or_not():
    for target in (TEXT[:, 1:], TEXT[:, 1:].flatten()):
        assert next_along(TEXT[:, :-1], target, -100) == {"target_next_along": 1}


def test_targets_of_all_positions_but_the_last_are_known():
    assert next_along(TEXT, TEXT[:, 1:].flatten(), -100) == {"target_next_along": 1}


def test_positions_may_come_first():
    columns = TEXT.t().contiguous()
    assert next_along(columns[:-1], columns[1:].flatten(), None) == {"target_next_along": 0}


def test_positions_that_are_left_out_do_not_count():
    target = TEXT[:, 1:].clone()
    target[:, ::2] = -100
    assert next_along(TEXT[:, :-1], target, -100) == {"target_next_along": 1}


def test_forecasts_of_numbers_are_known_for_one_feature_or_all():
    for target in (WAVE[:, 1:], WAVE[:, 1:, 1], WAVE[:, 1:, :1]):
        assert next_along(WAVE[:, :-1], target, None) == {"target_next_along": 1}


def test_other_targets_are_not():
    masked = TEXT.clone()
    masked[:, ::3] = 0
    for inputs, target in ((TEXT, TEXT), (masked, TEXT), (TEXT, TEXT % 3), (TEXT, TEXT[:, 0]), (WAVE, WAVE[:, -1])):
        assert next_along(inputs, target, None) == {}


def test_a_constant_sequence_says_nothing():
    assert next_along(torch.ones(6, 12), torch.ones(6, 12), None) == {}


def test_odd_shapes_do_no_harm():
    for shape in ((0, 5), (5, 0), (3, 4, 0), (2, 3, 4, 5), (7,)):
        assert next_along(torch.zeros(shape), torch.zeros(6), None) == {}


def test_what_a_decoder_reads_is_found_beside_the_first_input():
    source, mask, read = TEXT.flip(1), torch.zeros(6, 13).bool(), TEXT[:, :-1]
    assert [each is read for each in beside(source, (source, mask, read), {"scale": torch.ones(2)})] == [True]


def test_targets_that_are_given_at_their_own_place_are_known_by_tokens_alone():
    assert same_along(TEXT, TEXT.flatten(), None) == {"target_same_along": 1}
    padded = TEXT.clone()
    padded[:, 9:] = -100
    assert same_along(TEXT, padded, -100) == {"target_same_along": 1}
    for inputs, target in (
        (TEXT[:, :-1], TEXT[:, 1:]),
        (WAVE[..., 0], WAVE[..., 0]),
        (TEXT, TEXT[:, 0]),
        (TEXT, TEXT % 3),
    ):
        assert same_along(inputs, target, None) == {}
