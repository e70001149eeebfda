"""Neighbours of an input, in both readings of it."""

import torch

from stetho.capture.torch.feed.dealt import Dealt


def pictures(channels=3):
    generator = torch.Generator().manual_seed(0)
    coarse = torch.rand(8, channels, 4, 4, generator=generator)
    return torch.nn.functional.interpolate(coarse, size=(16, 16), mode="bilinear")


def seen(inputs):
    dealt = Dealt()
    dealt.add(0, (inputs,))
    return dealt.result()


def test_neighbours_are_most_alike_when_axes_are_what_they_are_called():
    found = seen(pictures())
    assert found["beside"] < 0.8 * found["dealt_beside"]
    assert found["below"] < 0.8 * found["dealt_below"]


def test_a_view_of_channels_that_come_last_shows():
    found = seen(pictures().permute(0, 2, 3, 1).reshape(8, 3, 16, 16))
    assert max(found["dealt_beside"], found["dealt_across"]) < 0.7 * found["beside"]
    assert max(found["dealt_below"], found["dealt_below_across"]) < 0.7 * found["below"]


def test_a_grey_picture_shows_it_in_its_rows_and_pixels():
    grey = pictures(1).expand(-1, 3, -1, -1)
    found = seen(grey.permute(0, 2, 3, 1).reshape(8, 3, 16, 16))
    assert found["within_pixels"] < 0.1
    assert max(found["dealt_below"], found["dealt_below_across"]) < 0.7 * found["below"]


def test_signals_have_neighbours_in_time_alone():
    waves = torch.sin(torch.linspace(0, 9, 60) * torch.rand(8, 5, 1) + 6 * torch.rand(8, 5, 1))
    straight, turned = seen(waves), seen(waves.transpose(1, 2).reshape(8, 5, 60))
    assert straight["beside"] < straight["dealt_beside"]
    assert max(turned["dealt_beside"], turned["dealt_across"]) < 0.7 * turned["beside"]


def test_correlations_show_it_through_noise():
    noisy = pictures() + 0.4 * torch.randn(8, 3, 16, 16, generator=torch.Generator().manual_seed(1))
    straight, turned = seen(noisy), seen(noisy.permute(0, 2, 3, 1).reshape(8, 3, 16, 16))
    assert turned["dealt_below"] > 0.8 * turned["below"]
    assert min(turned["dealt_below_alike"], turned["dealt_below_across_alike"]) > 2 * turned["below_alike"]
    assert straight["below_alike"] > straight["dealt_below_alike"] > 2 * straight["dealt_below_across_alike"]


def test_pairs_across_borders_are_counted_over_all_looks():
    dealt = Dealt()
    for _ in range(2):
        dealt.add(0, (pictures(),))
    assert dealt.result()["across"] == 2 * 8 * 3 * 2


def test_tables_and_single_channels_are_not_looked_at():
    for inputs in (torch.rand(8, 5), torch.rand(8, 1, 16, 16), torch.rand(8, 3, 4, 4), torch.zeros(0, 3, 16, 16)):
        assert seen(inputs) is None
