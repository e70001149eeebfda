"""Silence on request: `# stetho: ignore[name]` at the line of a finding, or alone in a comment above it."""

import re
from collections.abc import Iterable
from pathlib import Path

from stetho.findings.finding import Finding

_COMMENT = re.compile(r"#\s*stetho:\s*ignore\[([^\]]*)\]")


class Silence:
    """Reads the user's files as they are now, each of them once; a file that is not there silences nothing.

    >>> _ = Path("train.py").write_text("# stetho: ignore[loss-plateau]\\nback()  # stetho: ignore[graph-cut]\\n")
    >>> silence = Silence()
    >>> silence.names_at("train.py", 2) == {"loss-plateau", "graph-cut"}, silence.names_at("gone.py", 2)
    (True, set())
    """

    def __init__(self) -> None:
        self._lines: dict[str, list[str]] = {}

    def covers(self, finding: Finding) -> bool:
        """Whether the user has silenced this check at the line of the finding."""
        where = finding.where
        return where.file is not None and where.line is not None and finding.check in self.names_at(*_place(finding))

    def names_at(self, file: str, line: int) -> set[str]:
        """The checks that are silenced at a line."""
        lines = self._read(file)
        here = lines[line - 1] if 0 < line <= len(lines) else ""
        above = lines[line - 2].strip() if 1 < line <= len(lines) + 1 else ""
        return _names([here, above if above.startswith("#") else ""])

    def _read(self, file: str) -> list[str]:
        if file not in self._lines:
            try:
                self._lines[file] = Path(file).read_text(encoding="utf-8", errors="replace").splitlines()
            except (OSError, ValueError):
                self._lines[file] = []
        return self._lines[file]


def _place(finding: Finding) -> tuple[str, int]:
    return finding.where.file or "", finding.where.line or 0


def _names(texts: Iterable[str]) -> set[str]:
    lists = (match[1] for text in texts for match in _COMMENT.finditer(text))
    return {name.strip() for names in lists for name in names.split(",")}
