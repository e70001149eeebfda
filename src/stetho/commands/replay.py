"""`stetho replay`: run the step of a bundle again, in a fresh process."""

import argparse
import sys
from collections.abc import Callable, Mapping
from math import isfinite
from pathlib import Path
from typing import Any, TypeVar

from stetho.errors import UsageError

NAME = "replay"
HELP = "run the step of a bundle again and show the same value"
STATUS_OF_ANOTHER_VALUE = 1

T = TypeVar("T")


def prepare(parser: argparse.ArgumentParser) -> None:
    """Declare the bundle."""
    parser.epilog = "A bundle holds code of the program that made it, which is run: open only bundles that you trust."
    parser.add_argument("bundle", metavar="BUNDLE", help="folder that `stetho run --bundle` wrote, or a run with one")


def run(arguments: argparse.Namespace) -> int:
    """Run it, and say what came of it."""
    folder = bundle_folder(Path(arguments.bundle))
    from stetho.capture.torch.bundle.replaying import replay_bundle
    from stetho.views.console import console_for, is_unbounded
    from stetho.views.trace import NO_LIMIT, birth_lines

    result = run_again(folder, lambda: replay_bundle(folder))
    width = NO_LIMIT if is_unbounded(sys.stdout) else console_for(sys.stdout).width
    same = "the same, bit for bit" if result["same"] else "not the same"
    print(f"step {result['step']}: loss {result['replayed']}, recorded {result['recorded']}: {same}")
    if not result["same"] and result["changed"]:
        print(f"recorded with {'; '.join(result['changed'])}")
    print(f"{result['operations']} operations; {finite_text(result)}")
    for birth in result["births"]:
        for line in birth_lines(birth, width):
            print(line)
    return 0 if result["same"] else STATUS_OF_ANOTHER_VALUE


def finite_text(result: Mapping[str, Any]) -> str:
    """Which of loss and gradients are numbers.

    >>> finite_text({"finite": False, "replayed": 1.0})
    'the loss is finite, gradients are not'
    """
    if not result["finite"] and result["replayed"] is not None and isfinite(result["replayed"]):
        return "the loss is finite, gradients are not"
    high = f"; far above the losses before it: more than {result['limit']:.4g}" if result.get("limit") else ""
    return f"loss and gradients are {'' if result['finite'] else 'not '}finite{high}"


def run_again(folder: Path, action: Callable[[], T]) -> T:
    """Do what reads a bundle and runs its code; one error where the bundle is damaged or needs what is not here."""
    try:
        return action()
    except Exception as error:
        raise UsageError(
            f"{folder}: this step cannot be run again here: {type(error).__name__}: {error}; a bundle needs the "
            "packages that its program imports"
        ) from error


def bundle_folder(path: Path) -> Path:
    """The folder of a bundle, or the last one in the folder of a run."""
    if (path / "bundle.json").exists():
        return path
    inside = sorted(path.glob("bundle-step-*/bundle.json"))
    if inside:
        return inside[-1].parent
    raise UsageError(f"{path}: no bundle there; write one with: stetho run --bundle train.py")
