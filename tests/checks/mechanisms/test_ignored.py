import pytest

from stetho.checks.mechanisms.ignored import ignored_class, ignored_inside
from stetho.checks.run.facts import Loss
from stetho.checks.window import Window
from stetho.testing import make_window


def ignoring(index: int, counted: int, rows: int = 32) -> Window:
    loss = Loss("cross_entropy", "train.py:31", input=f"float32[{rows}, 4]", ignore_index=index)
    return make_window(losses=[loss], batch={"counted": counted})


def test_finds_a_class_that_is_ignored() -> None:
    finding = ignored_class(ignoring(0, 24), 0.01)
    assert "class 0 is left out of the loss (ignore_index=0): 25%" in finding.title


@pytest.mark.parametrize(("index", "counted", "rows"), [(-100, 24, 32), (0, 32, 32), (0, 24, 320), (9, 24, 32)])
def test_stays_quiet_on_labels_that_are_no_class_or_padding(index: int, counted: int, rows: int) -> None:
    assert ignored_class(ignoring(index, counted, rows), 0.01) is None


def tagged(inside: float, overlap: float, words: int = 40, before: int = 1) -> Window:
    settings = {"ignored_inside": inside, "ignored_inside_share": 0.3, "ignored_overlap": overlap}
    settings["ignored_before"] = before
    loss = Loss("cross_entropy", "train.py:31", input="float32[30, 4, 14]", ignore_index=0, settings=settings)
    layers = {"emb": f"Embedding({words}, 24, padding_idx=0)", "fc": "Linear(in_features=24, out_features=4)"}
    return make_window(losses=[loss], layers=layers, batch={"counted": 200})


def test_finds_a_class_that_is_ignored_between_others() -> None:
    assert "between others in 90% of the rows" in ignored_inside(tagged(0.9, 0.5)).title


def test_finds_a_class_whose_words_begin_rows() -> None:
    assert ignored_inside(tagged(0.9, 0.0, before=20)) is not None
    assert ignored_inside(tagged(0.9, 0.0, before=20, words=5)) is None


@pytest.mark.parametrize(("inside", "overlap", "words"), [(0.1, 0.5, 40), (0.9, 0.0, 40), (0.9, 0.5, 5)])
def test_stays_quiet_on_padding_pieces_of_words_and_hidden_tokens(inside: float, overlap: float, words: int) -> None:
    assert ignored_inside(tagged(inside, overlap, words)) is None


def test_predictions_in_one_axis_do_no_harm() -> None:
    loss = Loss("mse_loss", "train.py:31", input="float32[32]", target="float32[32]")
    layers = {"emb": "Embedding(9, 4)", "fc": "Linear(in_features=4, out_features=1)"}
    window = make_window(losses=[loss], layers=layers)
    assert (ignored_class(window, 0.01), ignored_inside(window)) == (None, None)
