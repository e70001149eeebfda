"""Command lines: from the declarations of a command and the table of options to an argparse namespace."""

import argparse
from collections.abc import Sequence
from typing import NoReturn

from stetho.commands import Command
from stetho.config import OPTIONS, Option, unknown_name
from stetho.errors import UsageError


class CommandParser(argparse.ArgumentParser):
    """An argument parser whose complaints are usage errors like all others."""

    def error(self, message: str) -> NoReturn:
        """Raise instead of printing the usage and leaving."""
        raise UsageError(f"{message}; see: {self.prog} --help")


def parser_of(command: Command) -> CommandParser:
    """The parser of one command.

    >>> from stetho.commands import load
    >>> parser_of(load("run")).prog
    'stetho run'
    """
    parser = CommandParser(
        prog=f"stetho {command.NAME}",
        description=f"{command.HELP[0].upper()}{command.HELP[1:]}.",
        allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.prepare(parser)
    return parser


def parse(command: Command, words: Sequence[str]) -> argparse.Namespace:
    """Read the words after the name of a command."""
    parser = parser_of(command)
    own, program = list(words), None
    if getattr(command, "TAKES_PROGRAM", False):
        own, program = split_at_program(parser, words)
    arguments, unknown = parser.parse_known_args(own)
    for word in unknown:
        if word.startswith("-"):
            raise UsageError(unknown_name("option", word.partition("=")[0], flags_of(parser)))
        raise UsageError(f"one word too many: `{word}`; see: {parser.prog} --help")
    if program is not None:
        arguments.program = program
    return arguments


def flags_of(parser: argparse.ArgumentParser) -> list[str]:
    """The flags that a parser knows, one for each option."""
    return [
        next((flag for flag in action.option_strings if flag.startswith("--")), action.option_strings[0])
        for action in parser._actions
        if action.option_strings
    ]


def split_at_program(parser: argparse.ArgumentParser, words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Our own words, and the program with its arguments, whatever they look like.

    >>> from stetho.commands import load
    >>> split_at_program(parser_of(load("run")), ["--every", "5", "train.py", "--every", "9"])
    (['--every', '5'], ['train.py', '--every', '9'])
    """
    position = 0
    while position < len(words):
        word = words[position]
        if word == "-m" or not word.startswith("-") or word == "-":
            break
        if word == "--":
            return list(words[:position]), list(words[position + 1 :])
        action = parser._option_string_actions.get(word)
        position += 1 if action is None or action.nargs == 0 else 2
    return list(words[:position]), list(words[position:])


def add_options(parser: argparse.ArgumentParser, *names: str) -> None:
    """Declare the options of a watched run, all of them or those named."""
    for option in OPTIONS.values():
        if option.flags and (not names or option.name in names):
            _add_option(parser, option)


def given_options(arguments: argparse.Namespace) -> dict[str, object]:
    """The options that stood on the command line, as they were written."""
    return {name: getattr(arguments, name) for name in OPTIONS if hasattr(arguments, name)}


def _add_option(parser: argparse.ArgumentParser, option: Option) -> None:
    help = option.help.replace("%", "%%")
    # Suppressed defaults: what was not given must not hide what pyproject.toml says.
    if option.is_switch:
        parser.add_argument(
            *option.flags, dest=option.name, action=argparse.BooleanOptionalAction, default=argparse.SUPPRESS, help=help
        )
    elif option.is_counted:
        parser.add_argument(*option.flags, dest=option.name, action="count", default=argparse.SUPPRESS, help=help)
    else:
        parser.add_argument(
            *option.flags,
            dest=option.name,
            action="append" if option.is_repeatable else "store",
            metavar=option.metavar,
            default=argparse.SUPPRESS,
            help=help,
        )
