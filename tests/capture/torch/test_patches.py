"""Patches: in place while we watch, without a trace afterwards."""

import inspect
from types import SimpleNamespace

import pytest

from stetho.capture.torch.patches import Patches


@pytest.fixture
def animal():
    """A class that nobody has patched before."""

    class Animal:
        def speak(self, word="hm", *, loud=False):
            """Say something."""
            return word.upper() if loud else word

    return Animal


def louder(original):
    return lambda self, *args, **kwargs: original(self, *args, **kwargs) + "!"


def test_a_method_is_replaced_and_put_back(animal):
    original = vars(animal)["speak"]
    patches = Patches()
    patches.replace(animal, "speak", louder)
    assert animal().speak("ho", loud=True) == "HO!"
    patches.undo()
    assert vars(animal)["speak"] is original


def test_an_inherited_method_is_inherited_again(animal):
    dog = type("Dog", (animal,), {})
    patches = Patches()
    patches.replace(dog, "speak", louder)
    assert (dog().speak(), animal().speak()) == ("hm!", "hm")
    patches.undo()
    assert "speak" not in vars(dog)


def test_what_is_not_there_is_left_alone(animal):
    patches = Patches()
    patches.replace(animal, "fly", louder)
    assert not hasattr(animal, "fly")
    patches.undo()


def test_functions_of_modules_can_be_replaced():
    module = SimpleNamespace(work=lambda: 1)
    original = module.work
    patches = Patches()
    patches.replace(module, "work", lambda inner: lambda: inner() + 1)
    assert module.work() == 2
    patches.undo()
    assert module.work is original


def test_two_patches_of_one_attribute_are_undone_in_turn(animal):
    patches = Patches()
    original = vars(animal)["speak"]
    patches.replace(animal, "speak", louder)
    patches.replace(animal, "speak", louder)
    assert animal().speak() == "hm!!"
    patches.undo()
    assert vars(animal)["speak"] is original


def test_what_somebody_else_put_in_our_place_stays(animal):
    patches = Patches()
    patches.replace(animal, "speak", louder)
    animal.speak = lambda _: "theirs"
    patches.undo()
    assert animal().speak() == "theirs"


def test_calls_are_seen_before_and_after(animal):
    seen = []
    patches = Patches()
    patches.around(
        animal,
        "speak",
        before=lambda *args, **kwargs: seen.append(("before", args[1:], kwargs)),
        after=lambda result, *args, **kwargs: seen.append(("after", result, args[1:], kwargs)),
    )
    assert animal().speak("ho", loud=True) == "HO"
    patches.undo()
    assert seen == [("before", ("ho",), {"loud": True}), ("after", "HO", ("ho",), {"loud": True})]


def test_an_error_of_the_original_is_passed_on():
    def fail():
        raise LookupError

    seen = []
    module = SimpleNamespace(work=fail)
    patches = Patches()
    patches.around(module, "work", before=lambda: seen.append("before"), after=lambda _: seen.append("after"))
    try:
        module.work()
    except LookupError:
        seen.append("raised")
    assert seen == ["before", "raised"]


def test_a_wrapper_looks_like_what_it_wraps(animal):
    patches = Patches()
    patches.around(animal, "speak", before=lambda *_, **__: None)
    assert inspect.signature(animal.speak).parameters.keys() == {"self", "word", "loud"}
    assert animal.speak.__doc__ == "Say something."
    patches.undo()


def test_suspended_the_originals_are_back_for_a_while(animal):
    original = vars(animal)["speak"]
    patches = Patches()
    patches.replace(animal, "speak", louder)
    ours = vars(animal)["speak"]
    with patches.suspended():
        assert vars(animal)["speak"] is original
    assert vars(animal)["speak"] is ours
    patches.undo()
    assert vars(animal)["speak"] is original


def test_suspended_an_error_does_not_leave_us_out(animal):
    patches = Patches()
    patches.replace(animal, "speak", louder)
    try:
        with patches.suspended():
            raise LookupError
    except LookupError:
        assert animal().speak() == "hm!"
    patches.undo()


@pytest.mark.parametrize("order", [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)])
def test_patches_around_one_another_may_go_in_any_order(animal, order):
    original = vars(animal)["speak"]
    all_patches = [Patches() for _ in range(3)]
    for letter, patches in zip("abc", all_patches, strict=True):
        patches.replace(animal, "speak", lambda inner, letter=letter: lambda self, word: inner(self, word) + letter)
    left = {0: "a", 1: "b", 2: "c"}
    for number in order:
        all_patches[number].undo()
        del left[number]
        assert animal().speak("hm") == "hm" + "".join(left.values())
    assert vars(animal)["speak"] is original


def test_an_inherited_method_is_inherited_again_in_any_order(animal):
    dog = type("Dog", (animal,), {})
    one, other = Patches(), Patches()
    one.replace(dog, "speak", louder)
    other.replace(dog, "speak", louder)
    one.undo()
    other.undo()
    assert "speak" not in vars(dog)
