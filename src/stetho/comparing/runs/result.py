"""The comparison of two runs as one object: verdict, first difference, tables, JSON."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, cast

from stetho.comparing.compile_log import CompileEvent
from stetho.comparing.runs.curve import Curve
from stetho.comparing.runs.data import Data
from stetho.comparing.runs.fact import Fact
from stetho.comparing.runs.growth import Growth
from stetho.comparing.runs.places import Place
from stetho.comparing.runs.verdict import Verdict
from stetho.store.documents import plain

FORMAT = 1


@dataclass(frozen=True)
class RunComparison:
    """What comparing two runs gave.

    `places` are the tensors of the first differing step that are not equal, in the order in which they are computed.
    """

    names: tuple[str, str]
    facts: Sequence[Fact]
    data: Data
    curve: Curve
    verdict: Verdict
    places: Sequence[Place] = ()
    reasons: Sequence[str] = ()
    noise: float = 0.0
    """Errors up to this size are rounding; 0 where the same computation has to give the same bits."""
    growth: Growth | None = None
    randomness: Sequence[str] = ()
    notes: Sequence[str] = ()
    """What could not be compared, and what would help."""
    operations: Sequence[dict[str, Any]] = field(default=())
    """The first operations that differ, where both programs were run again."""
    compilation: Sequence[CompileEvent] = ()
    """What broke out of compiled graphs or was compiled again, where a program was compiled."""

    @property
    def first_difference(self) -> Place | None:
        """The first tensor that differs; None if nothing that was recorded does."""
        return self.places[0] if self.places else None

    @property
    def is_equal(self) -> bool:
        """Whether the runs are equal, bit by bit or as far as rounding goes."""
        return self.verdict.kind == "equal" or self.verdict.is_small

    def table(self) -> list[dict[str, Any]]:
        """The places that differ as rows: step, stage, name, error, rms of both."""
        return [
            {
                "step": place.step,
                "stage": place.stage,
                "name": place.name,
                "error": place.error,
                "one": place.one.get("rms", place.one.get("value")),
                "other": place.other.get("rms", place.other.get("value")),
            }
            for place in self.places
        ]

    def to_json(self) -> dict[str, Any]:
        """All of it as plain data; numbers that JSON has no word for become text."""
        first = self.first_difference
        document = {
            "format": FORMAT,
            "kind": "runs",
            "names": list(self.names),
            "equal": self.is_equal,
            "verdict": asdict(self.verdict),
            "reasons": list(self.reasons),
            "first_difference": None if first is None else place_document(first),
            "places": self.table(),
            "operations": list(self.operations),
            "compilation": [asdict(event) for event in self.compilation],
            "facts": [asdict(fact) for fact in self.facts],
            "data": asdict(self.data),
            "loss": {
                "tolerance": self.curve.tolerance,
                "first_unequal": self.curve.first_unequal,
                "first_off": self.curve.first_off,
                "steps": self.curve.steps.tolist(),
                "one": self.curve.one.tolist(),
                "other": self.curve.other.tolist(),
            },
            "growth": None if self.growth is None else asdict(self.growth),
            "randomness": list(self.randomness),
            "notes": list(self.notes),
        }
        return cast(dict[str, Any], plain(document))

    def __str__(self) -> str:
        return "\n".join([self.verdict.sentence, *(f"- {reason}" for reason in self.reasons)])

    def with_notes(self, *notes: str) -> "RunComparison":
        """The same with more to say."""
        return replace(self, notes=[*self.notes, *notes])


def place_document(place: Place) -> dict[str, Any]:
    """A place as plain data."""
    document = asdict(place)
    document |= {"subnet": place.subnet, "where": list(place.where), "called": list(place.called), "text": str(place)}
    for key in ("layer", "other_layer"):
        document[key] = {
            name: document[key].get(name) for name in ("name", "class", "settings", "constructed", "called")
        }
    return document
