from stetho.checks.run.facts import Loss, LossGraph


def test_a_loss_is_chosen_where_its_module_is_made_or_else_where_it_is_called():
    assert Loss("mse_loss", "train.py:9", constructed="train.py:3").place == "train.py:3"
    assert Loss("mse_loss", "train.py:9").place == "train.py:9"


def test_shapes_and_types_are_read_off_the_texts():
    loss = Loss("mse_loss", input="float32[8, 1]", target="float64[8]")
    assert (loss.input_shape, loss.target_shape, loss.target_dtype) == ((8, 1), (8,), "float64")


def test_a_loss_by_hand_is_computed_where_it_is_made_or_else_where_it_goes_backward():
    assert LossGraph("train.py:9", made="train.py:7").place == "train.py:7"
    assert LossGraph("train.py:9").place == "train.py:9"
