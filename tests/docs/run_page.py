"""Do what a page of the documentation says: `python run_page.py PAGE`, in an empty folder.

Python blocks share one namespace, as in a notebook; a block that begins with `# name.py` is saved under that name.
Shell blocks are run up to the first error. Other blocks, and commands of NOT_RUN, are only there to be read.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

BLOCK = re.compile(r"^( *)```(\w*)[^\n]*\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
FILE_NAME = re.compile(r"# (\w+\.py)\n")
NOT_RUN = ("make ", "pip ", "tensorboard ")
"""Set-up and servers: `make` and `pip` have run before any test does, and a server does not end."""


def blocks(page: str) -> Iterator[tuple[str, str, int]]:
    """Language, text and first line number of each code block.

    >>> list(blocks("Text\\n```sh\\nstetho runs\\n```\\n"))
    [('sh', 'stetho runs\\n', 3)]
    """
    for found in BLOCK.finditer(page):
        indent, language, text = found.groups()
        yield language, re.sub(f"^{indent}", "", text, flags=re.MULTILINE), page[: found.start(3)].count("\n") + 1


def shell_script(text: str) -> str:
    """The shell block without the commands that are only there to be read.

    >>> shell_script("make test\\nstetho runs\\n")
    'stetho runs'
    """
    return "\n".join(line for line in text.splitlines() if not line.startswith(NOT_RUN))


def run_page(page: Path) -> None:
    """Run every block of a page in order; the first that fails ends it."""
    namespace: dict[str, object] = {"__name__": "__page__"}
    for language, text, line in blocks(page.read_text(encoding="utf-8")):
        if language == "sh":
            subprocess.run(["bash", "-evc", shell_script(text)], check=True)
        elif language == "python":
            file = FILE_NAME.match(text)
            if file:
                Path(file[1]).write_text(text, encoding="utf-8")
            else:
                # The empty lines make a traceback, and stetho's source lines, point into the page.
                exec(compile("\n" * (line - 1) + text, str(page), "exec"), namespace)


if __name__ == "__main__":
    run_page(Path(sys.argv[1]))
