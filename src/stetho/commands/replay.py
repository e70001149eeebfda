"""`stetho replay`: run the step of a bundle again, in a fresh process."""

import argparse
from pathlib import Path

from stetho.errors import UsageError

NAME = "replay"
HELP = "run the step of a bundle again and show the same value"
STATUS_OF_ANOTHER_VALUE = 1


def prepare(parser: argparse.ArgumentParser) -> None:
    """Declare the bundle."""
    parser.epilog = "A bundle holds code of the program that made it, which is run: open only bundles that you trust."
    parser.add_argument("bundle", metavar="BUNDLE", help="folder that `stetho run --bundle` wrote, or a run with one")


def run(arguments: argparse.Namespace) -> int:
    """Run it, and say what came of it."""
    folder = bundle_folder(Path(arguments.bundle))
    from stetho.capture.torch.bundle.replaying import replay_bundle
    from stetho.views.trace import birth_lines

    result = replay_bundle(folder)
    same = "the same, bit for bit" if result["same"] else "not the same"
    print(f"step {result['step']}: loss {result['replayed']}, recorded {result['recorded']}: {same}")
    print(f"{result['operations']} operations; loss and gradients are {'' if result['finite'] else 'not '}finite")
    for birth in result["births"]:
        for line in birth_lines(birth):
            print(line)
    return 0 if result["same"] else STATUS_OF_ANOTHER_VALUE


def bundle_folder(path: Path) -> Path:
    """The folder of a bundle, or the last one in the folder of a run."""
    if (path / "bundle.json").exists():
        return path
    inside = sorted(path.glob("bundle-step-*/bundle.json"))
    if inside:
        return inside[-1].parent
    raise UsageError(f"{path}: no bundle there; write one with: stetho run --bundle train.py")
