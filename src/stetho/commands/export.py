"""`stetho export`: hand a recorded run to other tools."""

import argparse
from pathlib import Path

NAME = "export"
HELP = "write a recorded run as CSV, parquet or TensorBoard events"

FORMATS = ("csv", "parquet", "tensorboard")


def prepare(parser: argparse.ArgumentParser) -> None:
    """Declare the run, the format and the folder."""
    parser.add_argument("run", nargs="?", metavar="RUN", help="folder or name of a run; the latest when left out")
    parser.add_argument("--to", required=True, choices=FORMATS, help="format to write")
    parser.add_argument("--out", type=Path, metavar="DIR", help="new folder to write (default: RUN/export-FORMAT)")
    parser.add_argument("--force", action="store_true", help="replace an earlier export")
    parser.add_argument("--rank", type=int, metavar="N", help="rank of a distributed job (default: the lowest)")


def run(arguments: argparse.Namespace) -> int:
    """Write the folder and say where it is."""
    from stetho.store.export import export_run
    from stetho.store.reader import open_run

    opened = open_run(arguments.run, rank=arguments.rank)
    target = arguments.out or opened.path / f"export-{arguments.to}"
    export_run(opened, arguments.to, target, force=arguments.force)
    print(target)
    return 0
