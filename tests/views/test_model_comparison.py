"""The comparison of two models as text."""

import io

from torch import nn

from stetho.comparing.models.compare import compare_models
from stetho.comparing.porting.port import port
from stetho.views.model_comparison import matches_shown, print_model_comparison, print_port
from tests.comparing.models import pairs


def drawn(found: object, show: object) -> str:
    file = io.StringIO()
    show(found, file)  # type: ignore[operator]
    return file.getvalue()


def test_a_difference_shows_reasons_lines_errors_and_the_table() -> None:
    text = drawn(compare_models(*pairs.attention("scale"), (2, 5, 8)), print_model_comparison)
    assert "different   softmax in `attn` (MultiheadAttention) and softmax in the model itself" in text
    assert "because     what the second takes is 2 times the first" in text
    assert "pairs.py:" in text
    assert "max abs" in text
    assert "first    second   outputs" in text


def test_equal_models_are_said_to_be_equal() -> None:
    text = drawn(compare_models(*pairs.attention(), (2, 5, 8)), print_model_comparison)
    assert "equal       1 output and 9 gradients, but for rounding (to 1e-09)" in text


def test_of_many_layers_those_around_the_first_difference_are_shown() -> None:
    one, other = (nn.Sequential(*(nn.Linear(2, 2) for _ in range(40))) for _ in range(2))
    other.load_state_dict(one.state_dict())
    nn.init.zeros_(other[25].bias)
    found = compare_models(one, other, (1, 2))
    assert "25" in [each.other and each.other.name for each in matches_shown(found.matches)]
    assert "more layers; --matches FILE" in drawn(found, print_model_comparison)


def test_a_port_tells_where_each_weight_comes_from_and_what_is_left() -> None:
    text = drawn(port(nn.Linear(4, 4), nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 4)), (1, 4)).plan, print_port)
    assert "0.weight    4×4  weight" in text
    assert "not confirmed" in text
    assert "without values: 1.weight, 1.bias" in text
