"""Tests of the parts of live models."""

from torch import nn

from stetho.inspect.torch.structure import parts_of
from tests.inspect.networks import Gpt


def test_shared_parameters_have_one_key() -> None:
    parts = {part.name: part for part in parts_of(Gpt())}
    assert parts["tokens"].weights[0].key == parts["head"].weights[0].key


def test_parts_tell_settings_buffers_and_what_is_trained() -> None:
    norm = nn.BatchNorm1d(3).requires_grad_(False).eval()
    (part,) = parts_of(norm)
    assert part.settings.startswith("3, eps=")
    assert part.buffers == 3 * 4 * 2 + 8
    assert (part.training, part.weights[0].trainable) == (False, False)


def test_lazy_parameters_are_not_counted_yet() -> None:
    assert parts_of(nn.LazyLinear(4))[0].own == 0


def test_a_part_that_cannot_speak_of_itself_is_a_part_all_the_same() -> None:
    class Mute(nn.Module):
        def extra_repr(self) -> str:
            raise ValueError("no")

    assert parts_of(Mute())[0].settings == ""
