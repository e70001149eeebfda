"""`stetho data`: step through a data pipeline, sample by sample and batch by batch."""

import argparse
import contextlib
import os
import shlex
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from stetho.capture.launch import Program
from stetho.errors import RunError, UsageError

NAME = "data"
HELP = "step through the data that a model is fed"


def prepare(parser: argparse.ArgumentParser) -> None:
    """Declare the loader and how far to go."""
    parser.epilog = (
        "LOADER is a DataLoader, a data set, an iterable, or a function that makes one: train.py:make_loader.\n"
        "A program alone, train.py or 'train.py --its options', is run until it begins to step through a DataLoader,\n"
        "and that one is looked at; a recorded run stands for its program.\n"
        "Samples are made in this process, one by one: workers and prefetching are off. It ends after one epoch or at\n"
        "the first sample that cannot be made, with exit status 1."
    )
    parser.add_argument("loader", metavar="FILE:LOADER", help="also package.module:loader, a program, or a run")
    parser.add_argument(
        "--against",
        action="append",
        default=[],
        metavar="FILE:LOADER",
        help="another split: look for samples that are in both, and for differences; may be repeated",
    )
    parser.add_argument("--samples", type=int, metavar="N", help="at most so many samples (default: one epoch)")
    parser.add_argument("--keep-going", action="store_true", help="collect all samples that cannot be made")
    parser.add_argument("--batch-size", type=int, metavar="N", help="put so many together, where there is no loader")
    parser.add_argument("--decode", metavar="FILE:NAME", help="a function from token ids to text, or a tokenizer")
    parser.add_argument("--pictures", type=int, default=16, metavar="N", help="samples on the page (default: 16)")
    parser.add_argument("-o", "--output", metavar="FILE.html", help="write a page with pictures of the samples")
    parser.add_argument("--json", action="store_true", help="print the same as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Step through the data, print what was found, and write the page."""
    from stetho.feeding import data
    from stetho.inspect.target import load_object
    from stetho.store.documents import encode
    from stetho.views.data import print_data

    page = _page(arguments.output)
    against = {name: each for each, name in map(_named, arguments.against)}
    loader, name = _named(arguments.loader)
    found = data(
        lambda: loader,
        against=against,
        samples=arguments.samples,
        keep_going=arguments.keep_going,
        batch_size=arguments.batch_size,
        pictures=arguments.pictures if page else 0,
        decode=load_object(arguments.decode, is_called=False) if arguments.decode else None,
        name=name,
    )
    if arguments.json:
        sys.stdout.write(encode(found.document(), indent=1).decode())
    else:
        print_data(found.report, sys.stdout)
    if page:
        found.save(page)
        print(f"page: {arguments.output}", file=sys.stderr if arguments.json else sys.stdout)
    return 0 if found.ok else 1


def _named(text: str) -> tuple[Any, str]:
    """The loader that a text stands for, and what to call it."""
    words = shlex.split(text)
    if words and words[0].endswith(".py") and Path(words[0]).is_file():
        from stetho.pipeline.torch.programs import first_loader

        # What the program prints is not ours.
        with contextlib.redirect_stdout(sys.stderr):
            return first_loader(Program.from_words(words))
    if ":" not in text:
        return _of_run(text)
    if find_spec("torch") is None:
        from stetho.inspect.target import load_object

        return load_object(text), text
    from stetho.pipeline.torch.programs import load_without_training

    return load_without_training(text), text


def _of_run(text: str) -> tuple[Any, str]:
    from stetho.inspect.target import program_of
    from stetho.pipeline.torch.programs import first_loader
    from stetho.store.reader import open_run

    try:
        program, folder = program_of(open_run(text))
    except RunError as error:
        raise UsageError(f"`{text}` names no loader: {error}; give file.py:loader, a program, or a run") from None
    # Not back again: the data set may open its files by a path that begins here.
    os.chdir(folder)
    with contextlib.redirect_stdout(sys.stderr):
        return first_loader(program)


def _page(output: str | None) -> Path | None:
    """Where the page goes; told before anything is loaded when it cannot go there."""
    if output is None:
        return None
    page = Path(output)
    if page.suffix.lower() not in (".html", ".htm"):
        raise UsageError(f"`--output` (={output}) does not end in .html; the page is one HTML file")
    if not page.parent.is_dir():
        raise UsageError(f"`--output`: there is no folder `{page.parent}`; make it, or name another")
    return page.absolute()
