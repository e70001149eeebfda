"""`stetho repro`: make a small test that stands alone out of a bundle."""

import argparse
from pathlib import Path
from typing import Any

from stetho.commands.replay import bundle_folder, run_again
from stetho.errors import UsageError

NAME = "repro"
HELP = "turn the step of a bundle into a small test that fails the same way"


def prepare(parser: argparse.ArgumentParser) -> None:
    """Declare the bundle and the file."""
    parser.epilog = "A bundle holds code of the program that made it, which is run: open only bundles that you trust."
    parser.add_argument("bundle", metavar="BUNDLE", help="folder that `stetho run --bundle` wrote, or a run with one")
    parser.add_argument(
        "-o", "--output", metavar="FILE", default="test_repro.py", help="the test (default: %(default)s)"
    )
    parser.add_argument("--whole", action="store_true", help="keep all samples and the whole model")
    parser.add_argument(
        "--above",
        type=float,
        metavar="LOSS",
        help="a loss above this is the failure (default: far above the losses before the step)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Shrink and write."""
    folder, file = bundle_folder(Path(arguments.bundle)), Path(arguments.output)
    if file.exists():
        raise UsageError(f"{file} exists; remove it, or give another name with --output")
    from stetho.capture.torch.bundle.rebuild import Step
    from stetho.capture.torch.bundle.shrinking import failure, shrunk, trimmed
    from stetho.capture.torch.bundle.standalone import FINITE, USUAL, write_test
    from stetho.capture.torch.bundle.writing import read_bundle

    bundle = run_again(folder, lambda: read_bundle(folder))
    if arguments.above is not None:
        bundle[0]["loss_limit"] = arguments.above
    loss = run_again(folder, lambda: Step(*bundle).run()).loss_value
    kind = failure(bundle)
    if kind is None:
        raise UsageError(f"{folder}: {nothing_text(bundle[0], loss)}")
    small, words = (trimmed(bundle), []) if arguments.whole else shrunk(bundle)
    size = f" Shrunk to {', '.join(words)}." if words else ""
    files = write_test(
        file, small, what=fault_text(bundle[0], kind, loss), size=size, asks=USUAL if kind == "high" else FINITE
    )
    print(f"{' and '.join(map(str, files))}: {', '.join(words) or 'the whole step'}; run it with: pytest {file}")
    return 0


def nothing_text(document: dict[str, Any], loss: float | None) -> str:
    """Why there is nothing to make a test of, and what could be asked for.

    >>> nothing_text({"loss_limit": 2.0}, 0.5)
    'loss and gradients come out finite, and the loss of 0.5 is not above 2; --above LOSS sets another limit'
    """
    limit = document.get("loss_limit")
    high = "" if limit is None or loss is None else f", and the loss of {loss:.4g} is not above {limit:.4g}"
    return f"loss and gradients come out finite{high}; --above LOSS sets {'a' if limit is None else 'another'} limit"


def fault_text(document: dict[str, Any], kind: str, loss: float | None) -> str:
    """The fault in a few words.

    >>> fault_text({"loss_limit": 2.0}, "high", 31.5)
    'its loss is 31.5, above 2'
    """
    if kind == "high":
        return f"its loss is {loss:.4g}, above {document['loss_limit']:.4g}"
    births = document.get("births", [])
    return f"{births[0]['expression']} at {births[0].get('line')}" if births else "loss or gradients are not finite"
