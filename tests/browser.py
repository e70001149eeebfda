"""A browser for tests of pages: headless Chromium, told what to do over its DevTools pipe."""

import fcntl
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
EXECUTABLE = next(filter(None, map(shutil.which, NAMES)), None)
SIZE = (1200, 800)


class Page:
    """A page that is driven as a person would: with a mouse and a keyboard."""

    def __init__(self, to: int, back: BinaryIO) -> None:
        self._to = to
        self._back = back
        self._number = 0
        self._session: str | None = None
        self.errors: list[str] = []
        target = self._send("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime"):
            self._send(f"{domain}.enable")

    def open(self, file: Path) -> None:
        """Load a file, and wait until its own code has run."""
        self.errors.clear()
        answer = self._send("Page.navigate", url=file.resolve().as_uri())
        assert "errorText" not in answer, f"{file}: {answer['errorText']}"
        while self.ask("document.readyState") != "complete" or self.ask("location.protocol") != "file:":
            pass

    def ask(self, expression: str) -> Any:
        """The value of an expression in the page, once it has drawn."""
        text = f"new Promise(told => requestAnimationFrame(() => told({expression})))"
        found = self._send("Runtime.evaluate", expression=text, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def click(self, x: float, y: float, *, times: int = 1) -> None:
        """Click at a place of the window."""
        for count in range(1, times + 1):
            for kind in ("mousePressed", "mouseReleased"):
                self._mouse(kind, x, y, button="left", clickCount=count)

    def click_on(self, selector: str) -> None:
        """Click at the middle of an element."""
        place = f"document.querySelector({json.dumps(selector)}).getBoundingClientRect()"
        box = self.ask(f"(({{x, y, width, height}}) => [x + width / 2, y + height / 2])({place})")
        self.click(*box)

    def drag(self, x: float, y: float, dx: float, dy: float) -> None:
        """Press the button, move, and let it go."""
        self._mouse("mousePressed", x, y, button="left", clickCount=1)
        for part in (0.25, 0.5, 1):
            self._mouse("mouseMoved", x + dx * part, y + dy * part, button="left", buttons=1)
        self._mouse("mouseReleased", x + dx, y + dy, button="left", clickCount=1)

    def wheel(self, x: float, y: float, turned: float) -> None:
        """Turn the wheel."""
        self._mouse("mouseWheel", x, y, deltaX=0, deltaY=turned)

    def write(self, text: str) -> None:
        """Type a text, and Enter after it."""
        self._send("Input.insertText", text=text)
        for kind in ("keyDown", "keyUp"):
            self._send("Input.dispatchKeyEvent", type=kind, key="Enter", windowsVirtualKeyCode=13)

    def _mouse(self, kind: str, x: float, y: float, **more: Any) -> None:
        self._send("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def _send(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._number += 1
        session = {"sessionId": self._session} if self._session else {}
        message = {"id": self._number, "method": method, "params": parameters} | session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            answer = json.loads(self._read())
            if answer.get("method") == "Runtime.exceptionThrown":
                self.errors.append(answer["params"]["exceptionDetails"]["exception"]["description"])
            if answer.get("id") == self._number:
                assert "error" not in answer, answer
                found: dict[str, Any] = answer["result"]
                return found

    def _read(self) -> bytes:
        read = bytearray()
        while (byte := self._back.read(1)) != b"\0":
            assert byte, "the browser has gone"
            read += byte
        return bytes(read)


@contextmanager
def browser(folder: Path) -> Iterator[Page]:
    """A browser with one page and a profile of its own in the folder."""
    assert EXECUTABLE is not None
    theirs, to = map(_out_of_the_way, os.pipe())
    back, from_them = map(_out_of_the_way, os.pipe())

    def hand_over() -> None:
        os.dup2(theirs, 3)
        os.dup2(from_them, 4)

    words = ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run"]
    words += [f"--user-data-dir={folder}", f"--window-size={SIZE[0]},{SIZE[1]}"]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(
        [EXECUTABLE, *words], preexec_fn=hand_over, close_fds=False, stdout=quiet, stderr=quiet, stdin=quiet
    ) as process:
        os.close(theirs)
        os.close(from_them)
        try:
            with os.fdopen(back, "rb") as answers:
                yield Page(to, answers)
        finally:
            os.close(to)
            process.kill()


def _out_of_the_way(end: int) -> int:
    """The same end of a pipe under a number that is none of those that the browser listens to."""
    moved = fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10)
    os.close(end)
    return moved
