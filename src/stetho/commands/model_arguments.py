"""The arguments that every command about a live model has: the model, and what it is called with."""

import argparse
from typing import TYPE_CHECKING

from stetho.views.console import speak

if TYPE_CHECKING:
    from stetho.inspect.call import Call
    from stetho.inspect.target import Target

MODELS = """\
MODEL is module:callable or file.py:callable, also with plain arguments as file.py:Net(10, width=64); a program
(train.py) or a recorded run, whose program is run until it first calls its model, or the one of --name; or a saved
module (TorchScript, torch.export, and with --unsafe a pickle).
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
    parser.add_argument("--name", metavar="NAME", help="of a program with several models, this one, or `all`")
    parser.add_argument("--eval", action="store_true", help="look at the model in evaluation mode")
    parser.add_argument("--unsafe", action="store_true", help="open a pickled module, which may run any code")


def two_models(arguments: argparse.Namespace, first: str, second: str) -> "tuple[tuple[Target, Target], Call]":
    """Two models, and the call that both are made with."""
    from stetho.inspect.inputs import call_from, needed
    from stetho.inspect.target import load_target

    one, other = (load_target(text, unsafe=arguments.unsafe) for text in (first, second))
    call = call_from(one.model, arguments.input, arguments.loader, one.call or other.call)
    return (one, other), needed(one.model, call)


def loaded(arguments: argparse.Namespace) -> "list[tuple[Target, Call | None]]":
    """The models and their calls, most often one; None without inputs. What else there is, is told."""
    from stetho.inspect.inputs import call_from
    from stetho.inspect.target import load_targets

    targets = load_targets(arguments.model, unsafe=arguments.unsafe, wanted=arguments.name)
    for target in targets:
        if arguments.eval:
            target.model.eval()
    shown = targets[0]
    if arguments.name is None and shown.others:
        others = ", ".join(name for name in shown.others if name != shown.variable)
        speak(
            f"this is `{shown.variable}`, the model that {shown.name} calls first; "
            f"it also has {others}: choose with --name, or --name all"
        )
    return [(each, call_from(each.model, arguments.input, arguments.loader, each.call)) for each in targets]
