"""Runs programs in forks of a process that has imported torch already, which saves seconds on each.

Reads one JSON request a line (`words` after `python`, `folder`, `variables`, `kill_after` seconds or null), runs
it in a child with the files `input`, `output` and `errors` of the folder as its streams, and answers with the status.
"""

import json
import os
import signal
import sys
import time

import torch._dynamo  # the first optimizer step imports it
import torch.distributed
import torch.utils.data  # noqa: F401

import stetho.capture.torch.capture
import stetho.session
import stetho.store.reader
import stetho.store.writer
import stetho.views.summary  # noqa: F401
from stetho.__main__ import main
from stetho.capture.launch import Program, run_program
from stetho.capture.torch import fingerprint

STREAMS = (("input", os.O_RDONLY), ("output", os.O_WRONLY | os.O_CREAT), ("errors", os.O_WRONLY | os.O_CREAT))


def become(words: list[str], folder: str, variables: dict[str, str]) -> None:
    """Turn this fork into the process that `python words…` would be."""
    os.chdir(folder)
    os.environ.update(variables)
    for number, (name, mode) in enumerate(STREAMS):
        os.dup2(os.open(name, mode), number)
    sys.stdin = sys.__stdin__ = open(0, closefd=False)  # noqa: SIM115
    fingerprint.install()
    if words[:2] == ["-m", "stetho"]:
        sys.exit(main(words[2:]))
    run_program(Program.from_words(words))


if __name__ == "__main__":
    for line in sys.stdin:
        request = json.loads(line)
        seconds = request.pop("kill_after")
        child = os.fork()
        if child == 0:
            become(**request)
            sys.exit()
        if seconds is not None:
            time.sleep(seconds)
            os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)
