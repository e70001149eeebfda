"""Rules made of samples, and where they hold."""

import numpy as np
import pytest
import torch

from stetho.capture.torch.feed.kept_samples import KeptSamples, described
from stetho.capture.torch.feed.simple_rule import rule_result


def kept(inputs, targets, classes, mirrored=False):
    samples = KeptSamples(2000)
    samples.add(described(inputs, len(targets), mirrored=mirrored), np.asarray(targets, float), classes)
    return samples


def table(seed, count=400):
    generator = torch.Generator().manual_seed(seed)
    inputs = torch.randn(count, 5, generator=generator)
    return inputs, (inputs[:, 0] > 0).long()


def test_a_rule_holds_for_new_samples_and_evaluated_ones():
    (x, y), (other, right) = table(0), table(1)
    found = rule_result(kept([x], y, 2), kept([other], right, 2))
    assert min(found["held"], found["evaluated"], found["evaluated_held"], found["trained"]) > 0.85
    assert found["chance"] < 0.6


@pytest.mark.parametrize("change", [lambda x, y: (x, y.roll(1)), lambda x, y: (x.roll(1, 1), y)])
def test_labels_and_columns_in_another_order_show(change):
    (x, y), (other, right) = table(0), change(*table(1))
    found = rule_result(kept([x], y, 2), kept([other], right, 2))
    assert found["held"] > 0.85
    assert found["evaluated"] < 0.6


def test_numbers_are_told_by_correlation():
    (x, _), (other, _) = table(0), table(1)
    found = rule_result(kept([x], x[:, 1] + 0.1, 0), kept([other], -other[:, 1], 0))
    assert found["held"] > 0.9
    assert found["evaluated"] < -0.9


def test_ids_tell_alone_and_together():
    drawn = np.random.default_rng(0)
    users, items = (torch.from_numpy(drawn.integers(0, 20, 1500)) for _ in range(2))
    level, taste, kind = drawn.normal(size=20), drawn.normal(size=20), drawn.normal(size=20)
    for target in (level[users], taste[users] * kind[items]):
        found = rule_result(kept([users, items], target, 0), KeptSamples(9))
        assert found["groups"] == [20, 20]
        assert found["held"] > 0.8
    by_chance = rule_result(kept([users, items], drawn.permutation(level[users]), 0), KeptSamples(9))
    assert abs(by_chance["held"]) < 0.1


def test_mirrored_pictures_are_told_wrong_where_sides_matter():
    drawn = np.random.default_rng(0)
    labels, places = drawn.integers(0, 2, 300), drawn.integers(4, 12, 300)
    pictures = torch.from_numpy(drawn.normal(size=(300, 1, 16, 16)) * 0.2).float()
    for number, (label, place) in enumerate(zip(labels, places, strict=True)):
        pictures[number, 0, :, place] += 2.0
        pictures[number, 0, :, place + (2 if label else -2)] += 1.0
    samples = kept([pictures], labels, 2, mirrored=True)
    found = rule_result(samples, samples)
    assert found["evaluated_held"] > 0.85
    assert found["mirrored"][0] < 0.15
    assert found["mirrored"][1] > 0.85


def test_too_few_samples_make_no_rule():
    x, y = table(0)
    assert rule_result(kept([x[:30]], y[:30], 2), kept([x], y, 2)) is None
    assert "evaluated" not in rule_result(kept([x], y, 2), kept([x[:30]], y[:30], 2))
    assert "evaluated" not in rule_result(kept([x], y, 2), kept([x], y.float() + 0.5, 0))
    assert "evaluated" not in rule_result(kept([x], y, 2), kept([x[:, :3]], y, 2))
