"""Tests of the arguments that commands about live models share."""

from argparse import ArgumentParser

from stetho.commands.model_arguments import add_model_arguments, loaded


def test_model_and_inputs_are_loaded() -> None:
    parser = ArgumentParser()
    add_model_arguments(parser)
    [(target, call)] = loaded(parser.parse_args(["torch.nn:Dropout(0.5)", "--input", "2,3", "--eval"]))
    assert call is not None
    assert call.args[0].shape == (2, 3)
    assert not target.model.training
