"""Hooks of the program's own on its modules."""

from torch.nn.utils import parametrizations

from ..conftest import mlp, sgd, train


def nothing(*_):
    return None


def hooks_of(record, begin_epoch, end_epoch=nothing, epochs=4):
    """What is recorded of hooks that `begin_epoch` hangs on a model before each epoch of two steps."""
    model = mlp()
    optimizer = sgd(model)

    def program():
        for _ in range(epochs):
            made = begin_epoch(model)
            train(model, optimizer, 2)
            end_epoch(made)

    return record(program, model, optimizer).model["hooks"]


def test_hooks_that_stay_are_counted_with_their_line(record):
    (pile,) = hooks_of(record, lambda model: model[0].register_forward_hook(nothing))
    assert (pile["count"], pile["steps"], pile["module"]) == (4, [0, 2, 4, 6], "Linear")
    assert pile["call"] == "register_forward_hook"
    assert pile["line"].startswith(__file__)


def test_hooks_on_the_backward_pass_are_counted_too(record):
    (pile,) = hooks_of(record, lambda model: model[2].register_full_backward_hook(nothing))
    assert pile["count"] == 4


def test_hooks_that_are_removed_are_no_pile(record):
    assert hooks_of(record, lambda model: model[0].register_forward_hook(nothing), lambda made: made.remove()) == []


def test_hooks_that_take_themselves_away_are_no_pile(record):
    def once(model):
        handle = model[0].register_forward_hook(lambda *_: handle.remove())

    assert hooks_of(record, once) == []


def test_hooks_that_come_all_at_once_are_no_pile(record):
    def at_once(model):
        if not model[0]._forward_hooks:
            for _ in range(5):
                model[0].register_forward_hook(nothing)

    assert hooks_of(record, at_once) == []


def test_hooks_on_new_models_are_no_pile(record):
    assert hooks_of(record, lambda _: mlp().register_forward_hook(nothing)) == []


def test_our_own_hooks_are_none_of_the_programs(record):
    assert hooks_of(record, lambda _: train(model := mlp(), sgd(model), 1)) == []


def test_a_library_may_register_for_the_program(record):
    def once(model):
        if not hasattr(model[0], "parametrizations"):
            parametrizations.spectral_norm(model[0])

    assert hooks_of(record, once) == []


def test_no_more_than_enough_is_remembered(record):
    (pile,) = hooks_of(record, lambda model: model[0].register_forward_pre_hook(nothing), epochs=70)
    assert (pile["count"], len(pile["steps"])) == (70, 64)
