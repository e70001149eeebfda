"""`stetho data`: step through a data pipeline, sample by sample and batch by batch."""

import argparse
import contextlib
import shlex
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from stetho.capture.launch import Program
from stetho.errors import UsageError

NAME = "data"
HELP = "step through the data that a model is fed"


def prepare(parser: argparse.ArgumentParser) -> None:
    """Declare the loader and how far to go."""
    parser.epilog = (
        "LOADER is a DataLoader, a data set, an iterable, or a function that makes one: train.py:make_loader.\n"
        "A program alone, train.py or 'train.py --its options', is run until it begins to step through a DataLoader,\n"
        "and that one is looked at.\n"
        "Samples are made in this process, one by one: workers and prefetching are off. It ends after one epoch or at\n"
        "the first sample that cannot be made, with exit status 1."
    )
    parser.add_argument("loader", metavar="FILE:LOADER", help="also package.module:loader, or a program")
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
    loader, name = _named(arguments.loader)
    found = data(
        lambda: loader,
        against={name: each for each, name in map(_named, arguments.against)},
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
        print(f"page: {page}", file=sys.stderr if arguments.json else sys.stdout)
    return 0 if found.ok else 1


def _named(text: str) -> tuple[Any, str]:
    """The loader that a text stands for, and what to call it."""
    words = shlex.split(text)
    if words and words[0].endswith(".py") and Path(words[0]).is_file():
        from stetho.pipeline.torch.programs import first_loader

        # What the program prints is not ours.
        with contextlib.redirect_stdout(sys.stderr):
            return first_loader(Program.from_words(words))
    if find_spec("torch") is None:
        from stetho.inspect.target import load_object

        return load_object(text), text
    from stetho.pipeline.torch.programs import load_without_training

    return load_without_training(text), text


def _page(output: str | None) -> Path | None:
    """Where the page goes; told before anything is loaded when it cannot go there."""
    if output is None:
        return None
    page = Path(output)
    if page.suffix.lower() not in (".html", ".htm"):
        raise UsageError(f"`--output` (={output}) does not end in .html; the page is one HTML file")
    if not page.parent.is_dir():
        raise UsageError(f"`--output`: there is no folder `{page.parent}`; make it, or name another")
    return page
