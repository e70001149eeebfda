from stetho.checks.evidence.depth import weights_by_depth
from stetho.checks.evidence.ways import count_in_a_row, is_plain, is_rescaled, leads_to
from stetho.checks.run.facts import Edge
from stetho.testing import make_window

LAYERS = dict.fromkeys(("a", "b", "c"), "Linear(in_features=8, out_features=8, bias=True)")
ROW = [Edge("a", "b"), Edge("b", "c")]
FAN = [Edge("a", "b"), Edge("a", "c")]


def test_weights_side_by_side_count_once():
    row, fan = make_window(layers=LAYERS, edges=ROW), make_window(layers=LAYERS, edges=FAN)
    assert count_in_a_row(row, weights_by_depth(row)) == 3
    assert count_in_a_row(fan, weights_by_depth(fan)) == 2


def test_a_way_past_a_layer_or_a_norm_is_not_plain():
    assert is_plain(make_window(layers=LAYERS, edges=ROW))
    assert not is_plain(make_window(layers=LAYERS, edges=[Edge("a", "b", ("Add",))]))
    assert not is_plain(make_window(layers=LAYERS | {"norm": "LayerNorm((8,))"}))


def test_a_signal_is_scaled_behind_dropout_as_well():
    layers = LAYERS | {"drop": "Dropout(p=0.1, inplace=False)"}
    window = make_window(layers=layers, edges=[Edge("a", "drop"), Edge("drop", "b", ("Div",)), Edge("b", "c")])
    scaled = {one.layer.name: is_rescaled(window, one) for one in weights_by_depth(window)}
    assert scaled == {"a": True, "b": False, "c": False}
    assert leads_to(window, weights_by_depth(window)[0], {"Div"})
