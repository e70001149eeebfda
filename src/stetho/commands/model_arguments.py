"""The arguments that every command about a live model has: the model, and what it is called with."""

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from stetho.inspect.call import Call
    from stetho.inspect.target import Target

MODELS = """\
MODEL is module:callable or file.py:callable, also with plain arguments as file.py:Net(10, width=64); a program
(train.py) or a recorded run, whose program is run until it first calls its model; or a saved module (TorchScript,
torch.export, and with --unsafe a pickle).
"""


def add_model_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the model and its inputs."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = MODELS
    parser.add_argument("model", metavar="MODEL", help="what to look at; see below")
    parser.add_argument(
        "--input",
        action="append",
        default=[],
        metavar="[NAME=]SHAPE[:DTYPE]",
        help="an input, as 1,3,32,32 or ids=4,16:int64:1000 (repeatable)",
    )
    parser.add_argument("--loader", metavar="FILE:LOADER", help="take the first batch of this loader as input")
    parser.add_argument("--eval", action="store_true", help="look at the model in evaluation mode")
    parser.add_argument("--unsafe", action="store_true", help="open a pickled module, which may run any code")


def two_models(arguments: argparse.Namespace, first: str, second: str) -> "tuple[tuple[Target, Target], Call]":
    """Two models, and the call that both are made with."""
    from stetho.inspect.inputs import call_from, needed
    from stetho.inspect.target import load_target

    one, other = (load_target(text, unsafe=arguments.unsafe) for text in (first, second))
    call = call_from(one.model, arguments.input, arguments.loader, one.call or other.call)
    return (one, other), needed(one.model, call)


def loaded(arguments: argparse.Namespace) -> "tuple[Target, Call | None]":
    """The model and its call; None without inputs."""
    from stetho.inspect.inputs import call_from
    from stetho.inspect.target import load_target

    target = load_target(arguments.model, unsafe=arguments.unsafe)
    if arguments.eval:
        target.model.eval()
    return target, call_from(target.model, arguments.input, arguments.loader, target.call)
