"""Error messages in words: which layer, which argument, what was expected, what came, and what would fit.

Each explanation is a pure function of the message and of plain facts about the place where the error arose; one line in
`catalog.py` lists it. Nothing here touches a live object.
"""

from dataclasses import replace

from stetho.explaining.scene import Explanation, Scene


def explain(scene: Scene) -> Explanation | None:
    """The first explanation that fits the message; None when it is not known, or when explaining fails.

    >>> message = "mat1 and mat2 shapes cannot be multiplied (3x4 and 5x6)"
    >>> explain(Scene("RuntimeError", message)).name
    'matrix-shapes'
    """
    from stetho.explaining.catalog import CATALOG

    for unit in CATALOG:
        try:
            found = unit.explain(scene)
        except Exception:  # an odd message is no reason to lose the rest of the report
            continue
        if found is not None:
            return replace(_with_inner(found), name=unit.name)
    return None


def _with_inner(found: Explanation) -> Explanation:
    inner = explain(found.inner) if found.inner is not None else None
    if inner is None:
        return replace(found, inner=None)
    facts = (*found.facts, ("there", inner.title), *inner.facts)
    return replace(found, facts=facts, fits=(*inner.fits, *found.fits), inner=None)
