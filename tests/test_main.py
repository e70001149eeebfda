"""The command line as a whole: help, errors in one line, exit status."""

import subprocess
import sys

import pytest

from stetho import __main__ as command_line
from stetho.__main__ import main
from stetho.commands import COMMANDS, load
from stetho.errors import UsageError


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    for name in COMMANDS:
        assert f"  stetho {name} " in shown
        assert load(name).HELP in shown


def test_no_word_at_all_shows_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    assert "stetho run train.py" in capsys.readouterr().out


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("stetho 0.")


def test_every_command_tells_itself_in_one_line() -> None:
    for name in COMMANDS:
        command = load(name)
        assert name == command.NAME
        assert "\n" not in command.HELP
        assert not command.HELP.endswith(".")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["rnu"], "stetho: unknown command `rnu`, did you mean `run`? Known: run, trace, "),
        (["--vresion"], "stetho: unknown option `--vresion`, did you mean `--version`? Known: --help, --version"),
        (["run"], "stetho: no program given; "),
        (["run", "nowhere.py"], "stetho: no such program; "),
        (["show", "--bogus"], "stetho: unknown option `--bogus`; known: "),
    ],
)
def test_bad_words_are_one_line_and_status_two(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    shown = capsys.readouterr()
    assert shown.err.startswith(message)
    assert shown.err.count("\n") == 1
    assert shown.out == ""


def test_help_of_a_command_is_help(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as leaving:
        main(["run", "--help"])
    assert leaving.value.code == 0
    assert "--dump PATTERN[@STEPS]" in capsys.readouterr().out


def test_an_interrupt_of_ours_dies_of_the_signal_without_a_traceback() -> None:
    code = (
        "import stetho.__main__ as m\n"
        "def interrupted(words): raise KeyboardInterrupt\n"
        "m._dispatch = interrupted\n"
        "m.main(['runs'])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (-2, "")


def test_a_reader_that_has_seen_enough_is_no_error() -> None:
    code = f"{sys.executable} -m stetho --help | true"
    done = subprocess.run(["bash", "-c", f"set -o pipefail; {code}; exit 0"], capture_output=True, text=True)
    assert done.stderr == ""


def test_an_error_of_the_program_is_not_taken_for_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    from stetho.capture.launch import ProgramTraceback

    def fail(_words: list[str]) -> int:
        monkeypatch.setattr(sys, "excepthook", ProgramTraceback(sys.excepthook, lambda _: None))
        raise UsageError("of the program")

    monkeypatch.setattr(command_line, "_dispatch", fail)
    with pytest.raises(UsageError, match="of the program"):
        main([])
