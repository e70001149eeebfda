"""Callbacks: each is told what it overrides, and one that raises takes only itself out."""

from collections.abc import Mapping

from stetho.callbacks import Callback, Callbacks


class Listening(Callback):
    def __init__(self) -> None:
        self.heard: list[tuple[str, int]] = []

    def on_step_begin(self, step: int) -> None:
        self.heard.append(("begin", step))

    def on_step_end(self, step: int, row: Mapping[str, object]) -> None:
        self.heard.append(("end", step))
        assert row["loss"] == 0.5


class Breaking(Callback):
    def on_step_begin(self, step: int) -> None:
        raise ValueError(f"not at {step}")


def test_every_method_can_be_left_as_it_is() -> None:
    callback = Callback()
    callback.on_run_begin()
    callback.on_epoch_begin(1)
    callback.on_step_begin(1)
    callback.on_step_end(1, {})
    callback.on_epoch_end(1)
    callback.on_run_end(None)


def test_tells_all_callbacks_in_order() -> None:
    first, second = Listening(), Listening()
    callbacks = Callbacks(warn=print)
    callbacks.add(first)
    callbacks.add([second])
    callbacks.call("on_step_begin", 1)
    callbacks.call("on_step_end", 1, {"loss": 0.5})
    assert first.heard == second.heard == [("begin", 1), ("end", 1)]


def test_one_that_raises_is_named_and_not_called_again() -> None:
    said: list[str] = []
    listening = Listening()
    callbacks = Callbacks(warn=said.append)
    callbacks.add([Breaking(), listening])
    callbacks.call("on_step_begin", 7)
    callbacks.call("on_step_begin", 8)
    assert said == ["callback `Breaking.on_step_begin` raised ValueError: not at 7; it is not called any more"]
    assert listening.heard == [("begin", 7), ("begin", 8)]


def test_knows_whether_there_is_any() -> None:
    callbacks = Callbacks(warn=print)
    callbacks.add(())
    assert not callbacks.all
    callbacks.add(Callback())
    assert callbacks.all
