"""The comparison of two models as one object: the first difference, the table of matches, weights, JSON."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, cast

from stetho.comparing.models.layers import Match
from stetho.comparing.tensor_error import TensorError
from stetho.store.documents import plain

FORMAT = 1
OF_STAGE = {"gradient": "the gradient at ", "state": "what is kept by "}


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in one model: the layer, what is done there, and the line that does it."""

    layer: str
    kind: str
    operation: str
    shape: tuple[int, ...]
    line: str | None = None

    def __str__(self) -> str:
        """
        >>> str(Spot("blocks.0.attn", "Attention", "softmax", (2, 4, 4)))
        'softmax in `blocks.0.attn` (Attention)'
        """
        where = f"`{self.layer}` ({self.kind})" if self.layer else "the model itself"
        return f"{self.operation} in {where}"


@dataclass(frozen=True, slots=True)
class Difference:
    """The first place whose inputs agree and whose output does not; a side is None where it has no such place."""

    stage: str
    """forward, gradient, or state: what is kept after the call."""
    one: Spot | None
    other: Spot | None
    error: TensorError | None = None
    reasons: tuple[str, ...] = ()

    def __str__(self) -> str:
        sides = [str(each) for each in (self.one, self.other) if each is not None]
        both = " and ".join(dict.fromkeys(sides)) or "the outputs"
        return f"{OF_STAGE.get(self.stage, '')}{both}"


def as_data(difference: Difference | None) -> dict[str, Any] | None:
    """A difference as plain data, with the words that name it."""
    return None if difference is None else cast(dict[str, Any], plain({**asdict(difference), "text": str(difference)}))


@dataclass(frozen=True)
class ModelComparison:
    """What comparing two models on one input gave."""

    names: tuple[str, str]
    first_difference: Difference | None
    matches: Sequence[Match]
    tolerance: float
    weights: str = ""
    """How the weights of the two belong together."""
    output_error: TensorError | None = None
    compared: str = ""
    """What was found equal, or how much was looked at."""
    notes: Sequence[str] = ()

    @property
    def is_equal(self) -> bool:
        """Whether outputs and gradients are the same but for rounding."""
        return self.first_difference is None

    def table(self) -> list[dict[str, Any]]:
        """The layers of both models as rows: first, second, class, shape is told by the layers, and how they fit."""
        return [
            {
                "first": match.one.name if match.one else None,
                "second": match.other.name if match.other else None,
                "first_class": match.one.kind if match.one else None,
                "second_class": match.other.kind if match.other else None,
                "how": match.how,
                "given": match.is_given,
            }
            for match in self.matches
        ]

    def to_json(self) -> dict[str, Any]:
        """All of it as plain data; numbers that JSON has no word for become text."""
        document = {
            "format": FORMAT,
            "kind": "models",
            "names": list(self.names),
            "equal": self.is_equal,
            "first_difference": as_data(self.first_difference),
            "output_error": None if self.output_error is None else asdict(self.output_error),
            "tolerance": self.tolerance,
            "weights": self.weights,
            "compared": self.compared,
            "matches": self.table(),
            "notes": list(self.notes),
        }
        return cast(dict[str, Any], plain(document))

    def __str__(self) -> str:
        if self.first_difference is None:
            return f"equal: {self.compared}"
        return "\n".join(
            [f"different: {self.first_difference}", *(f"- {each}" for each in self.first_difference.reasons)]
        )
