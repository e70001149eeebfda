"""Whether a program can be run on a device here."""

import re

import torch

from stetho.errors import UsageError
from stetho.option_values import DEVICES


def check_device(text: str) -> None:
    """Refuse a device that torch does not have here, before a program is started for it.

    >>> check_device("cpu")
    """
    if not re.fullmatch(rf"({'|'.join(DEVICES)})(:\d+)?", text):
        names = ", ".join(DEVICES)
        raise UsageError(f"`--device` (={text}) must be one of: {names}, or one with its number, as in cuda:1")
    name, _, number = text.partition(":")
    if name == "cpu":
        return
    count = _count(name)
    if not count:
        raise UsageError(
            f"`--device` (={text}): torch {torch.__version__} finds no {name} device on this machine; compare there "
            "where one is, or take another: --device cpu"
        )
    if number and int(number) >= count:
        there = f"{name}:0" if count == 1 else f"{name}:0 to {name}:{count - 1}"
        raise UsageError(f"`--device` (={text}): torch finds {count} here; take {there}")


def _count(name: str) -> int:
    """How many devices of a kind there are."""
    kind = torch.get_device_module(name)
    return int(kind.device_count()) if kind.is_available() else 0
