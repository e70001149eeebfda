import gc

from torch import nn
from torch.optim import SGD, Optimizer

from stetho.capture.torch.updates.holders import SHORT_LIFE, Holders


def of(*layers: nn.Module) -> Optimizer:
    return SGD([parameter for layer in layers for parameter in layer.parameters()], lr=0.1)


def test_news_is_what_nobody_held_before() -> None:
    holders, first, second = Holders(), nn.Linear(2, 2), nn.Linear(2, 2)
    assert holders.add(0, of(first))
    assert not holders.add(1, of(first))
    assert holders.add(2, of(first, second))


def test_an_optimizer_that_is_made_anew_keeps_its_number() -> None:
    holders, layer = Holders(), nn.Linear(2, 2)
    for step in range(5):
        number = holders.number(of(layer), "train.py:7", step, free=0 if step == 0 else 1)
        holders.add(number, of(layer))
        assert number == 0
    assert holders.times_remade(0) == 4


def test_another_line_a_long_life_or_other_parameters_make_another_optimizer() -> None:
    holders, layer, other = Holders(), nn.Linear(2, 2), nn.Linear(2, 2)
    holders.add(holders.number(of(layer), "train.py:7", 0, free=0), of(layer))
    assert holders.number(of(layer), "train.py:8", 1, free=1) == 1
    assert holders.number(of(layer), "train.py:7", SHORT_LIFE + 1, free=1) == 1
    assert holders.number(of(layer, other), "train.py:7", 1, free=1) == 1
    assert holders.times_remade(0) == 0


def test_parameters_are_not_kept_alive() -> None:
    holders, layer = Holders(), nn.Linear(2, 2)
    holders.add(0, of(layer))
    assert len(holders.places()) == 2
    del layer
    gc.collect()
    assert holders.places() == {}
