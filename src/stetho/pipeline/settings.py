"""How far a data pipeline is stepped through, and what is kept for the eye."""

from dataclasses import dataclass

from stetho.pipeline.pictures import Decode


@dataclass(frozen=True, slots=True)
class Settings:
    """What the caller wants.

    >>> Settings(samples=100).keep_going
    False
    """

    samples: int | None = None
    """At most so many; None for one epoch."""
    keep_going: bool = False
    """Go on after a sample that cannot be made."""
    traced: int = 16
    """How many samples are followed through their transforms."""
    pictures: int = 16
    """How many samples are kept to be looked at."""
    decode: Decode | None = None
    """What makes text of token ids."""
