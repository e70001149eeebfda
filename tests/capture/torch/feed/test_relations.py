"""What targets have to do with inputs, as passes bring them."""

import numpy as np
import torch

from stetho.capture.torch.feed.relations import Relations

NOTHING = {"dependence": None, "copied": None, "rule": None, "relabelled": None}


def batch(seed, count=100):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(count, 4, generator=generator)


def seen(relations, phase, inputs, *others, labels=None, numbers=None, model=0):
    relations.open(phase, model, inputs, (inputs, *others), {})
    if numbers is not None:
        relations.numbers(numbers)
    relations.close(phase, (np.asarray(labels), 2) if labels is not None else None)
    return relations.results()


def test_labels_of_both_phases_make_a_rule():
    relations = Relations()
    for seed in range(4):
        inputs = batch(seed)
        found = seen(relations, "train" if seed < 2 else "eval", inputs, labels=(inputs[:, 0] > 0).long())
    assert found["dependence"]["samples"] == found["rule"]["samples"] == 200
    assert found["rule"]["evaluated"] > 0.8


def test_yes_and_no_as_numbers_are_labels():
    inputs = batch(0)
    found = seen(Relations(), "train", inputs, numbers=(inputs[:, :1] > 0).float())
    assert found["rule"]["classes"] == 2


def test_ids_are_looked_at_beside_each_other():
    users = torch.arange(100) % 7
    found = seen(Relations(), "train", users, users.flip(0) % 3, numbers=torch.arange(100.0))
    assert found["rule"]["groups"] == [7, 3]
    assert found["dependence"] is None


def test_targets_that_the_model_is_given_are_no_input():
    inputs = batch(0)
    labels = torch.randint(0, 2, (100,), generator=torch.Generator().manual_seed(9))
    found = seen(Relations(), "train", inputs, labels, labels=labels)
    assert "groups" not in found["rule"]


def test_rows_without_a_target_are_left_out():
    relations, inputs = Relations(), batch(0)
    relations.open("train", 0, inputs, (inputs,), {})
    assert relations.count == 100
    relations.choose(torch.arange(50, 100))
    relations.close("train", (np.zeros(50, np.int64), 2))
    assert relations.results()["rule"]["samples"] == 50


def test_without_targets_nothing_is_kept():
    relations = Relations()
    assert seen(relations, "train", batch(0)) == NOTHING
    assert seen(relations, "train", batch(0), numbers=torch.rand(7)) == NOTHING
    assert not relations.is_open
    assert relations.count == 0


def test_what_feeds_a_chain_of_models_is_related_to_its_targets():
    relations, noise = Relations(), torch.randn(100, 4, generator=torch.Generator().manual_seed(9)).requires_grad_()
    for phase in ("train", "eval"):
        inputs = batch(0 if phase == "train" else 1)
        seen(relations, phase, inputs)
        found = seen(
            relations, phase, noise * 1 if phase == "train" else noise, model=1, labels=(inputs[:, 0] > 0).long()
        )
    assert found["dependence"]["best_over_chance"] > 30
    assert found["rule"]["evaluated"] > 0.8


def test_a_model_that_nothing_was_handed_on_to_is_left_out_where_it_is_fed_by_others():
    relations, made = Relations(), batch(1).requires_grad_() * 1
    seen(relations, "train", batch(0))
    seen(relations, "train", made, model=1, labels=[0, 1] * 50)
    assert seen(relations, "train", made + 1, model=1, labels=[0, 1] * 50)["dependence"]["samples"] == 100
    assert seen(relations, "train", batch(2), model=1, labels=[0, 1] * 50)["dependence"]["samples"] == 200


def test_a_graph_of_its_own_and_another_phase_hand_nothing_on():
    relations, made = Relations(), batch(1).requires_grad_() * 1
    seen(relations, "eval", batch(0))
    found = seen(relations, "train", made, labels=(made[:, 0] > 0).long())
    assert found["dependence"]["best_over_chance"] > 30


def test_a_number_that_stands_in_its_input_is_found():
    relations = Relations()
    inputs = torch.randn(60, 4)
    relations.open("train", 0, inputs, inputs)
    relations.numbers(inputs[:, 2])
    relations.close("train", None)
    assert relations.results()["copied"]["place"] == [2]
