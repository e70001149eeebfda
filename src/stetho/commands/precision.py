"""`stetho precision`: what a network's activations and gradients would lose in smaller number formats."""

import argparse
import sys
from dataclasses import asdict

NAME = "precision"
HELP = "what would under- or overflow in fp16, bf16 and fp8"


def prepare(parser: argparse.ArgumentParser) -> None:
    """Declare the run."""
    parser.add_argument("run", nargs="?", metavar="RUN", help="folder or name of a run; the latest when left out")
    parser.add_argument("--json", action="store_true", help="print the same as JSON")
    parser.add_argument("--rank", type=int, metavar="N", help="rank of a distributed job (default: the lowest)")


def run(arguments: argparse.Namespace) -> int:
    """Print the report."""
    from stetho.store.documents import encode
    from stetho.store.reader import open_run
    from stetho.views.precision import precision_rows, print_precision

    rows = precision_rows(open_run(arguments.run, rank=arguments.rank))
    if arguments.json:
        sys.stdout.write(encode([asdict(row) for row in rows], indent=1).decode())
    elif not rows:
        print("no histograms in this run; they are taken in steps that are measured fully", file=sys.stderr)
    else:
        print_precision(rows, sys.stdout)
    return 0
