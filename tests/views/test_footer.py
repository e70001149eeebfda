"""The line below a program's output, judged by what stands on the screen of a small terminal."""

import builtins
import io
import os
import pty
import re
import termios
from collections.abc import Iterator

import pytest

from stetho.views import footer as module
from stetho.views.footer import Footer

CODES = re.compile(r"\x1b(\[[\d;?]*[A-Za-z]|[78DM])|([^\x1b])")


class Screen:
    """As much of a terminal as the footer uses, and cursor up."""

    def __init__(self, rows: int = 6) -> None:
        self.rows = [""] * rows
        self.row = self.column = 0
        self.saved = (0, 0)

    def feed(self, text: str) -> None:
        for code, letter in CODES.findall(text):
            if letter:
                self._letter(letter)
            else:
                self._code(code)

    def _letter(self, letter: str) -> None:
        if letter == "\r":
            self.column = 0
        elif letter == "\n":
            self._down()
        else:
            line = self.rows[self.row].ljust(self.column)
            self.rows[self.row] = line[: self.column] + letter + line[self.column + 1 :]
            self.column += 1

    def _down(self) -> None:
        if self.row == len(self.rows) - 1:
            self.rows = [*self.rows[1:], ""]
        else:
            self.row += 1

    def _code(self, code: str) -> None:
        if code == "D":
            self._down()
        elif code in ("M", "[A"):
            self.row = max(0, self.row - 1)
        elif code == "[B":
            self.row = min(len(self.rows) - 1, self.row + 1)
        elif code == "7":
            self.saved = (self.row, self.column)
        elif code == "8":
            self.row, self.column = self.saved
        elif code in ("[K", "[J"):
            self.rows[self.row] = self.rows[self.row][: self.column]
            if code == "[J":
                self.rows[self.row + 1 :] = [""] * (len(self.rows) - self.row - 1)
        else:
            assert code.endswith("m"), f"unknown code {code!r}"

    @property
    def text(self) -> list[str]:
        return [row.rstrip() for row in self.rows if row.strip()]


class Terminal:
    """A pseudo-terminal whose screen we see; it is what `sys.stdout` and `sys.stderr` lead to."""

    def __init__(self) -> None:
        self.master, self.slave = pty.openpty()
        self.stdout = open(os.dup(self.slave), "w", buffering=1, encoding="utf-8")  # noqa: SIM115
        self.stderr = open(os.dup(self.slave), "w", buffering=1, encoding="utf-8")  # noqa: SIM115
        self.screen = Screen()

    def look(self) -> list[str]:
        self.stdout.flush()
        os.write(self.slave, b"\0")
        seen = b""
        while not seen.endswith(b"\0"):
            seen += os.read(self.master, 65536)
        self.screen.feed(seen[:-1].decode())
        return self.screen.text

    def close(self) -> None:
        self.stdout.close()
        self.stderr.close()
        os.close(self.slave)
        os.close(self.master)


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[Terminal]:
    terminal = Terminal()
    monkeypatch.setattr(module, "SECONDS_BETWEEN_DRAWINGS", 0.0)
    yield terminal
    terminal.close()


@pytest.fixture
def footer(terminal: Terminal) -> Iterator[Footer]:
    footer = Footer(terminal.stderr)
    footer.attach(terminal.stdout, terminal.stderr)
    yield footer
    footer.detach()


def test_stands_below_what_is_printed(terminal: Terminal, footer: Footer) -> None:
    print("one", file=terminal.stdout)
    footer.show("status")
    assert terminal.look() == ["one", "status"]
    print("two", file=terminal.stdout)
    print("three", file=terminal.stderr)
    assert terminal.look() == ["one", "two", "three", "status"]
    footer.show("other")
    assert terminal.look() == ["one", "two", "three", "other"]


def test_leaves_nothing_behind(terminal: Terminal, footer: Footer) -> None:
    before = builtins.input
    for number in range(20):
        print(f"line {number}", file=terminal.stdout)
        footer.show(f"status {number}")
    footer.detach()
    print("the end", file=terminal.stdout)
    assert terminal.look() == [f"line {number}" for number in range(16, 20)] + ["the end"]
    assert "write" not in vars(terminal.stdout)
    assert "write" not in vars(terminal.stderr)
    assert builtins.input is not before


def test_stands_below_a_progress_bar_and_leaves_it_whole(terminal: Terminal, footer: Footer) -> None:
    for percent in range(0, 101, 10):
        print(f"\r{percent} % done", end="", file=terminal.stderr, flush=True)
        footer.show("status")
        assert terminal.look() == [f"{percent} % done", "status"]
    print("!", file=terminal.stderr)
    assert terminal.look() == ["100 % done!", "status"]
    footer.detach()
    assert terminal.look() == ["100 % done!"]


def test_a_bar_at_the_bottom_of_the_screen_scrolls_once(terminal: Terminal, footer: Footer) -> None:
    print("1\n2\n3\n4\n5", file=terminal.stdout)
    for percent in range(3):
        print(f"{percent} % done", end="\r", file=terminal.stdout, flush=True)
        footer.show("status")
    assert terminal.look() == ["2", "3", "4", "5", "2 % done", "status"]


def test_a_row_that_is_full_gets_no_line_below_until_it_ends(terminal: Terminal, footer: Footer) -> None:
    footer.show("status")
    for _ in range(80):
        print(".", end="", file=terminal.stdout, flush=True)
    footer.show("status")
    assert terminal.look() == ["." * 80]
    print(file=terminal.stdout)
    assert terminal.look() == ["." * 80, "status"]


def test_dots_that_are_flushed_leave_the_line_in_place(terminal: Terminal, footer: Footer) -> None:
    footer.show("status")
    for number in range(1, 5):
        print(".", end="", file=terminal.stdout, flush=True)
        assert terminal.look() == ["." * number, "status"]


def test_what_is_no_text_is_the_programs_own_error(terminal: Terminal, footer: Footer) -> None:
    footer.show("status")
    with pytest.raises(TypeError, match=r"write\(\) argument must be str, not bytes"):
        terminal.stdout.write(b"bytes")  # type: ignore[arg-type]


def test_a_line_of_ours_does_not_cut_a_line_of_the_program(terminal: Terminal, footer: Footer) -> None:
    print("epoch 1 …", end="", file=terminal.stdout, flush=True)
    footer.show("status")
    footer.print_above("stetho: something happened")
    footer.show("status")
    assert terminal.look() == ["epoch 1 …", "stetho: something happened", "status"]


def test_keeps_away_from_a_program_that_moves_the_cursor(terminal: Terminal, footer: Footer) -> None:
    print("bar one\nbar two\x1b[A", end="", file=terminal.stdout, flush=True)
    footer.show("status")
    assert terminal.look() == ["bar one", "bar two"]


def test_keeps_away_while_keys_are_read(terminal: Terminal, footer: Footer) -> None:
    mode = termios.tcgetattr(terminal.slave)
    mode[3] &= ~termios.ICANON
    termios.tcsetattr(terminal.slave, termios.TCSANOW, mode)
    footer.show("status")
    assert terminal.look() == []


def test_makes_way_for_a_question(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    footer = Footer(terminal.stderr)

    def answer(prompt: str = "") -> str:
        print(prompt, end="", file=terminal.stdout, flush=True)
        footer.show("status")
        assert terminal.look() == ["name? "[:-1]]
        return "me"

    monkeypatch.setattr(builtins, "input", answer)
    footer.attach(terminal.stdout, terminal.stderr)
    footer.show("status")
    assert input("name? ") == "me"
    footer.detach()
    assert builtins.input is answer


def test_is_cut_to_the_width(terminal: Terminal, footer: Footer) -> None:
    footer.show("x" * 500)
    assert terminal.look() == ["x" * 76 + "…"]


def test_what_a_shell_says_of_a_killed_program_stands_behind_it(terminal: Terminal, footer: Footer) -> None:
    footer.show("status")
    terminal.look()
    os.write(terminal.slave, b"Killed\n")
    assert terminal.look()[0] == "status  Killed"


def test_has_no_colour_when_asked(terminal: Terminal, footer: Footer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    footer.show("status")
    terminal.stderr.flush()
    assert b"\x1b[2m" not in os.read(terminal.master, 1000)


def test_streams_that_lead_elsewhere_are_left_alone(terminal: Terminal) -> None:
    pipe = io.TextIOWrapper(io.BytesIO())
    footer = Footer(terminal.stderr)
    footer.attach(pipe, io.StringIO(), None)
    assert "write" not in vars(pipe)
    footer.detach()


def test_a_closed_terminal_is_no_error(footer: Footer, terminal: Terminal) -> None:
    terminal.stderr.close()
    footer.show("status")
    footer.print_above("line")
    footer.detach()


def test_stays_away_while_somebody_types_in_a_shell_of_ours(
    terminal: Terminal, footer: Footer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "is_open", lambda: True)
    footer.show("status")
    print("out of the shell", file=terminal.stdout)
    assert terminal.look() == ["out of the shell"]
    monkeypatch.setattr(module, "is_open", lambda: False)
    footer.show("status")
    assert terminal.look() == ["out of the shell", "status"]
