"""A verdict as a JSON file, for other programs."""

import sys
from pathlib import Path

from stetho.errors import UsageError
from stetho.findings.document import verdict_document
from stetho.findings.verdict import Verdict
from stetho.store.documents import encode

STANDARD_OUTPUT = "-"


def write_diagnosis(verdict: Verdict, run: Path, file: str) -> None:
    """Write the document that docs/reference/findings.md describes; `-` is the standard output."""
    content = encode(verdict_document(verdict, str(run)), indent=1)
    if file == STANDARD_OUTPUT:
        sys.stdout.write(content.decode())
        return
    try:
        Path(file).write_bytes(content)
    except OSError as error:
        raise UsageError(f"the findings cannot be written ({error.strerror}); choose another file: {file}") from error
