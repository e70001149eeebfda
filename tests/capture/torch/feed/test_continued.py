"""Whether the rows of a batch go on where those of the batch before ended."""

import torch

from stetho.capture.torch.feed.continued import MOST, Continued

TEXT = torch.randint(0, 30, (8, 121), generator=torch.Generator().manual_seed(0))
WAVE = torch.randn(8, 121, 2, generator=torch.Generator().manual_seed(1))


def seen(data, order, flat=True):
    continued = Continued()
    for step, place in enumerate(order):
        piece = data[:, 10 * place : 10 * place + 11]
        target = piece[:, 1:]
        continued.add(step, piece[:, :-1], target.flatten() if flat else target)
    return continued.result()


def test_pieces_of_a_text_and_of_a_wave_continue_each_other():
    assert seen(TEXT, range(12)) == {"pairs": 11, "share": 1.0}
    assert seen(WAVE, range(12), flat=False) == {"pairs": 11, "share": 1.0}


def test_windows_of_one_sequence_continue_each_other_whatever_is_asked_of_them():
    continued = Continued()
    for step in range(12):
        continued.add(step, WAVE[:, 10 * step : 10 * step + 10], torch.zeros(8, 10))
    assert continued.result() == {"pairs": 11, "share": 1.0}


def test_pieces_in_any_order_do_not():
    assert seen(TEXT, [5, 1, 9, 3, 0, 7, 2])["share"] < 0.3


def test_steps_that_were_not_looked_at_break_the_row():
    continued = Continued()
    for step in range(0, 20, 2):
        continued.add(step, TEXT[:, :10], TEXT[:, 1:11])
    assert continued.result() is None


def test_targets_of_whole_samples_say_nothing():
    continued = Continued()
    for step in range(5):
        continued.add(step, TEXT[:, :10], TEXT[:, 0])
        continued.add(step, TEXT[0], TEXT[0])
    assert continued.result() is None


def test_it_stops_looking_some_day():
    continued = Continued()
    for step in range(2 * MOST):
        continued.add(step, TEXT[:, :10], TEXT[:, 1:11])
    assert continued.result()["pairs"] == MOST
