"""How well each check did on the programs that measure it, as `calibration.json` beside this file says."""

import json
from dataclasses import dataclass
from pathlib import Path

from stetho.store import loose

FIGURES_FILE = Path(__file__).with_name("calibration.json")


@dataclass(frozen=True, slots=True)
class Figures:
    """Precision: how many of its findings were true. Recall: how many of the planted faults it found.

    >>> Figures(0.98, 0.9, 12).programs
    12
    """

    precision: float | None
    recall: float | None
    programs: int


def read_figures(file: Path = FIGURES_FILE) -> dict[str, Figures]:
    """The figures by name of check; none where nothing was measured.

    >>> _ = Path("f.json").write_text('{"checks": {"graph-cut": {"precision": 1.0, "recall": 0.9, "programs": 10}}}')
    >>> read_figures(Path("f.json"))
    {'graph-cut': Figures(precision=1.0, recall=0.9, programs=10)}
    """
    try:
        content = loose.mapping(json.loads(file.read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return {}
    return {
        name: Figures(
            loose.number(each.get("precision")),
            loose.number(each.get("recall")),
            loose.whole(each.get("programs")) or 0,
        )
        for name, each in loose.mapping(content.get("checks")).items()
        if isinstance(each, dict)
    }
