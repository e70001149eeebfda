"""What a process wrote into its run while it died: the number of its last step, then its stacks as text."""

import re
from pathlib import Path
from typing import Any

LONGEST = 1 << 20
_STEP = re.compile(r"step +(\d+)\n")
_FATAL = re.compile(r"^Fatal Python error: (.+)$", re.MULTILINE)


def read_last_words(file: Path) -> list[dict[str, Any]]:
    """As one record, like those that a witness leaves; none as long as nothing died.

    >>> read_last_words(Path("/nowhere"))
    []
    """
    try:
        with file.open("rb") as opened:
            text = opened.read(LONGEST).decode(errors="replace")
    except (FileNotFoundError, NotADirectoryError):
        return []
    step, fatal = _STEP.match(text), _FATAL.search(text)
    if fatal is None:
        return []
    raw = text[step.end() :] if step is not None else text
    return [{"kind": "crash", "step": int(step[1]) if step is not None else 0, "error": fatal[1], "raw": raw}]
