"""Puts the comparison of two recorded runs together: facts, data, loss, first place, verdict, reasons."""

import re
from collections.abc import Sequence
from dataclasses import replace

from stetho.comparing.runs.curve import TOLERANCE, curve_of
from stetho.comparing.runs.data import compare_data
from stetho.comparing.runs.fact import Fact
from stetho.comparing.runs.facts import ROUNDING_DEPENDS_ON, differing_facts, is_same_machine
from stetho.comparing.runs.joined import Joined
from stetho.comparing.runs.matching import match
from stetho.comparing.runs.randomness import randomness_of
from stetho.comparing.runs.reasons import reasons_for
from stetho.comparing.runs.recorded import Recorded
from stetho.comparing.runs.result import RunComparison
from stetho.comparing.runs.search import Search
from stetho.comparing.runs.verdict import Kind, Verdict, sentence_of
from stetho.store.reader import Run

NOTICEABLE = {"float64": 1e-6, "float32": 1e-4, "float16": 5e-3, "bfloat16": 3e-2}
"""Errors of a step above this are more than rounding, by the least exact type of number in either run."""
WITHOUT_EFFECT = ("command", "eager", "startup")
"""Facts that say nothing of how a run trains."""


def compare_runs(one: Run, other: Run, *, tolerance: float = TOLERANCE, offset: int = 0) -> RunComparison:
    """Compare two recorded runs; step k of the second is compared with step k + `offset` of the first."""
    sides = Recorded(one), Recorded(other, offset=offset)
    matching = match(*sides)
    has_few_digits = noticeable(sides) >= NOTICEABLE["float16"]
    joined, curve = Joined(*sides, matching, has_few_digits=has_few_digits), curve_of(*sides, tolerance)
    data, facts = compare_data(*sides), differing_facts(*sides, matching)
    # Where the same computation has to give the same bits, everything that differs counts.
    noise = 0.0 if is_same_machine(facts) else noticeable(sides)
    search = Search(joined, curve, data, sides, noticeable(sides))
    step, places, growth = search.first(noise)
    is_drift = noise > 0 and not is_told_apart(facts) and search.is_drift(step, growth)
    if step is None or is_drift:
        kind: Kind = (
            "rounding" if growth else "equal" if len(curve.steps) or len(joined.errors.steps) else "incomparable"
        )
        sentence = sentence_of(kind, None, curve, growth)
        if kind == "equal" and is_told_apart(facts):
            sentence += "; what is set differently had no effect on it"
        verdict = Verdict(kind, None, sentence, is_small=kind == "rounding")
        places, reasons = [], []
    else:
        first = places[0] if places else None
        kind = search.kind(first, step)
        is_small = kind != "data" and search.is_small(places)
        verdict = Verdict(kind, step, sentence_of(kind, first, curve), is_small)
        reasons = reasons_for(kind, places, facts, data, joined, sides)
        # Errors that begin after the first difference follow from it.
        growth = growth if growth is not None and growth.first_step <= step else None
        if data.step is not None and data.step > step:
            # What a model makes for another one, or for the loss, is other data once the models differ.
            data = replace(data, sentence=f"from step {data.step} on, once the runs have parted: {data.sentence}")
    return RunComparison(
        names=(sides[0].name, sides[1].name),
        facts=facts,
        data=data,
        curve=curve,
        verdict=verdict,
        places=places,
        reasons=reasons,
        noise=noise,
        growth=growth,
        randomness=randomness_of(*sides, data),
        notes=search.notes,
    )


def is_told_apart(facts: Sequence[Fact]) -> bool:
    """Whether the runs were set up to train differently: then a slow drift need not be rounding."""
    return any(
        fact.area != "environment" and fact.name not in (*ROUNDING_DEPENDS_ON, *WITHOUT_EFFECT) for fact in facts
    )


def noticeable(sides: tuple[Recorded, Recorded]) -> float:
    """What is more than rounding, given the types of numbers that both runs compute with."""
    seen = {re.split(r"\W", str(layer.get("output")))[0] for side in sides for layer in side.layers.values()}
    return max((NOTICEABLE[name] for name in seen if name in NOTICEABLE), default=NOTICEABLE["float32"])
