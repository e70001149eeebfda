"""`stetho ckpt`: look at checkpoint files, check them, compare them."""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from stetho.errors import UsageError

if TYPE_CHECKING:
    from stetho.checkpoints.contents import Checkpoint

NAME = "ckpt"
HELP = "look at, check and compare checkpoint files of any common format"

MIB = 1 << 20
STATUS_OF_FINDINGS = 3


def prepare(parser: argparse.ArgumentParser) -> None:
    """Declare what to do, the files and the form of the answer."""
    parser.usage = (
        "stetho ckpt show FILE [options]\n       stetho ckpt check FILE [options]\n       stetho ckpt diff FILE FILE …"
    )
    parser.epilog = (
        "FILE is a file or a folder: PyTorch (zip, legacy, distributed), safetensors (also sharded), npz, npy, Keras\n"
        "(.keras, .h5), TensorFlow, ONNX, Orbax, Flax, MindSpore, NNabla, pickled arrays. Nothing in it is run, and\n"
        "no framework is needed. Files may be larger than the memory."
    )
    parser.add_argument("action", choices=("show", "check", "diff"), metavar="show|check|diff", help="what to do")
    parser.add_argument("files", nargs="+", metavar="FILE", help="one checkpoint; two for diff")
    parser.add_argument("--only", action="append", metavar="PATTERN", help="only names like this: 'encoder.*.weight'")
    parser.add_argument("--values", action="store_true", help="show: print elements instead of numbers about them")
    parser.add_argument("--tensors", action="store_true", help="diff: every tensor, and not layers summed up")
    parser.add_argument("--all", action="store_true", help="diff: also what is the same")
    parser.add_argument("--json", action="store_true", help="print the same as JSON")
    parser.add_argument(
        "--fail-on",
        choices=("error", "warning", "difference"),
        metavar="WHAT",
        help=f"exit with {STATUS_OF_FINDINGS} on error or warning (check) or difference (diff)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Do what is asked for."""
    from stetho.checkpoints.opening import open_checkpoint

    wanted = 2 if arguments.action == "diff" else 1
    if len(arguments.files) != wanted:
        raise UsageError(
            f"`stetho ckpt {arguments.action}` takes {wanted} file{'s' * (wanted > 1)}, not {len(arguments.files)}"
        )
    opened = [_chosen(open_checkpoint(file), arguments.only) for file in arguments.files]
    return {"show": show, "check": check, "diff": diff}[arguments.action](opened, arguments)


def show(opened: "list[Checkpoint]", arguments: argparse.Namespace) -> int:
    """Print the tree."""
    from stetho.checkpoints.measuring import measure_checkpoint
    from stetho.views.checkpoint import print_measured, print_values

    if arguments.values:
        print_values(opened[0], sys.stdout)
        return 0
    with reading(opened) as progress:
        measured = measure_checkpoint(opened[0], progress)
    if arguments.json:
        _print_json(measured.to_json())
    else:
        print_measured(measured, sys.stdout)
    return 0


def check(opened: "list[Checkpoint]", arguments: argparse.Namespace) -> int:
    """Print what looks wrong."""
    from stetho.checkpoints.checking import check_checkpoint
    from stetho.views.checkpoint import print_check

    with reading(opened) as progress:
        found = check_checkpoint(opened[0], progress)
    if arguments.json:
        _print_json(found.to_json())
    else:
        print_check(found, sys.stdout)
    grave = {"error": ("error",), "warning": ("error", "warning")}.get(arguments.fail_on, ())
    return STATUS_OF_FINDINGS if any(problem.severity in grave for problem in found.problems) else 0


def diff(opened: "list[Checkpoint]", arguments: argparse.Namespace) -> int:
    """Print what differs."""
    from stetho.checkpoints.diffing import diff_checkpoints
    from stetho.views.checkpoint_diff import print_diff

    with reading(opened) as progress:
        found = diff_checkpoints(opened[0], opened[1], progress)
    if arguments.json:
        _print_json(found.to_json())
    else:
        print_diff(found, sys.stdout, whole=arguments.tensors, all_too=arguments.all)
    return STATUS_OF_FINDINGS if arguments.fail_on == "difference" and not found.is_equal else 0


def _chosen(checkpoint: "Checkpoint", patterns: list[str] | None) -> "Checkpoint":
    from dataclasses import replace

    if not patterns:
        return checkpoint
    names = [name for name in checkpoint if any(fnmatchcase(name, pattern) for pattern in patterns)]
    if not names:
        raise UsageError(f"no name in {checkpoint.path} is like {' or '.join(patterns)}; `stetho ckpt show` lists them")
    kept = {name: checkpoint[name] for name in names}
    settings = {
        name: value
        for name, value in checkpoint.settings.items()
        if any(fnmatchcase(name, pattern) for pattern in patterns)
    }
    return replace(checkpoint, tensors=kept, settings=settings)


@contextmanager
def reading(opened: "Sequence[Checkpoint]") -> Iterator[Callable[[int], None]]:
    """Something to be told how many bytes were read, while it shows that on a terminal."""
    from stetho.views.progress import progress_on_stderr

    total = sum(one.nbytes for one in opened)
    done = told = 0
    with progress_on_stderr("MiB read") as tell:

        def step(size: int) -> None:
            nonlocal done, told
            done += size
            if done - told >= 16 * MIB:
                told = done
                tell(done // MIB, total // MIB)

        yield step


def _print_json(document: dict[str, object]) -> None:
    from stetho.store.documents import encode

    sys.stdout.write(encode(document, indent=1).decode())
