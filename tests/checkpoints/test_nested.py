"""Nested containers become flat names; what would never end is refused."""

import pytest

from stetho.checkpoints.contents import LazyTensor
from stetho.checkpoints.nested import Opaque, flatten
from stetho.errors import CheckpointRefused


def none(_name: str, _leaf: object) -> LazyTensor | None:
    return None


def test_names_are_the_way_through_the_tree() -> None:
    tree = {"optimizer": {"state": {0: {"step": 2}}, "groups": [{"lr": 0.1}, {"lr": 0.2}]}, "best": None}
    assert flatten(tree, none).values == {
        "optimizer.state.0.step": 2,
        "optimizer.groups.0.lr": 0.1,
        "optimizer.groups.1.lr": 0.2,
        "best": None,
    }


def test_a_pickled_module_has_the_names_of_its_state_dict() -> None:
    linear, model = Opaque("torch.nn.Linear"), Opaque("Net")
    linear.state = {"_parameters": {"scale": 2.0}}
    model.state = {"_modules": {"fc": linear}}
    flat = flatten(model, none)
    assert flat.values == {"fc.scale": 2.0}
    assert flat.notes() == ("objects of Net, torch.nn.Linear were not made; what they hold was read",)


def test_a_tree_that_doubles_at_every_level_is_refused() -> None:
    tree: object = [1]
    for _ in range(60):
        tree = [tree, tree]
    with pytest.raises(CheckpointRefused, match="fill the memory"):
        flatten(tree, none)


def test_a_tree_that_holds_itself_is_refused() -> None:
    tree: list[object] = []
    tree.append(tree)
    with pytest.raises(CheckpointRefused, match="100 levels"):
        flatten(tree, none)


def test_keys_with_escape_codes_are_refused() -> None:
    with pytest.raises(CheckpointRefused, match="control signs"):
        flatten({"\x1b[2J": 1}, none)
