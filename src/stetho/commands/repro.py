"""`stetho repro`: make a small test that stands alone out of a bundle."""

import argparse
from pathlib import Path

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


def run(arguments: argparse.Namespace) -> int:
    """Shrink and write."""
    folder, file = bundle_folder(Path(arguments.bundle)), Path(arguments.output)
    if file.exists():
        raise UsageError(f"{file} exists; remove it, or give another name with --output")
    from stetho.capture.torch.bundle.rebuild import Step
    from stetho.capture.torch.bundle.shrinking import failure, shrunk, trimmed
    from stetho.capture.torch.bundle.standalone import write_test
    from stetho.capture.torch.bundle.writing import read_bundle

    bundle = run_again(folder, lambda: read_bundle(folder))
    run_again(folder, lambda: Step(*bundle).run())
    if failure(bundle) is None:
        raise UsageError(f"{folder}: loss and gradients of this step come out finite; there is nothing to reproduce")
    small, words = (trimmed(bundle), []) if arguments.whole else shrunk(bundle)
    births = bundle[0].get("births", [])
    what = f"{births[0]['expression']} at {births[0].get('line')}" if births else "loss or gradients are not finite"
    files = write_test(file, small, what=what, size=f"Shrunk to {', '.join(words)}." if words else "")
    print(f"{' and '.join(map(str, files))}: {', '.join(words) or 'the whole step'}; run it with: pytest {file}")
    return 0
