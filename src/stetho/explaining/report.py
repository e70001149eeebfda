"""What is kept of an unhandled error, as plain data: the frames with their values, and the explanation."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from stetho.explaining.scene import Explanation


@dataclass(frozen=True, slots=True)
class FrameReport:
    """One frame of the user's code, with its variables; or, without code, a number of folded library frames.

    >>> FrameReport("linear.py", 125, "forward", folded=3, library="torch").is_folded
    True
    """

    file: str
    line: int
    function: str
    code: str = ""
    values: tuple[tuple[str, str], ...] = ()
    folded: int = 0
    library: str = ""

    @property
    def is_folded(self) -> bool:
        """Whether this stands for frames that are not shown."""
        return self.folded > 0


@dataclass(frozen=True, slots=True)
class ErrorReport:
    """An unhandled error.

    >>> report = ErrorReport("ValueError", "no more", "train.py:3", None)
    >>> ErrorReport.read(report.document()) == report
    True
    """

    kind: str
    message: str
    where: str | None
    layer: str | None
    frames: tuple[FrameReport, ...] = ()
    explanation: Explanation | None = None

    def document(self) -> dict[str, object]:
        """The report as plain JSON data."""
        return asdict(self)

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> "ErrorReport | None":
        """The report in a JSON document; None when it is not one."""
        try:
            return cls(
                kind=str(document["kind"]),
                message=str(document["message"]),
                where=document["where"],
                layer=document["layer"],
                frames=tuple(
                    FrameReport(**{**each, "values": tuple(_pair(value) for value in each["values"])})
                    for each in document["frames"]
                ),
                explanation=_explanation(document["explanation"]),
            )
        except (KeyError, TypeError, ValueError):
            return None


def _explanation(document: Mapping[str, Any] | None) -> Explanation | None:
    if document is None:
        return None
    facts = tuple(_pair(fact) for fact in document["facts"])
    fits = tuple(str(fit) for fit in document["fits"])
    return Explanation(str(document["title"]), facts, fits, str(document["name"]))


def _pair(value: Any) -> tuple[str, str]:
    one, other = value
    return str(one), str(other)
