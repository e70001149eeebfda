"""What a model is asked in training and in evaluation, as far as one can be held against the other."""

import numpy as np

from stetho.checks.evidence.inputs import overall
from stetho.checks.evidence.redrawn import sample_hashes
from stetho.checks.run.table import Table
from stetho.checks.window import Window


def comparable(train: Table, other: Table) -> tuple[Table, Table]:
    """Batches of numbers that are trained on, and those that are evaluated and are of the same kind."""
    train, other = _numbers(train), _numbers(other)
    return train, _new_to(train, _as_wide(train, other))


def are_of_two_kinds(train: Table, other: Table) -> bool:
    """Whether a model is asked by hand about data like those it is trained on, and about others: they are to differ.

    Batches of a loader have one kind each; there the training data may be what is alike. Where an evaluation begins
    with data that are alike, what comes after may be made of them: parts of a model called one after the other.
    """
    if np.isfinite(other["loader"]).any():
        return False
    mean, deviation = overall(train)
    is_near = np.abs(other["mean"] - mean) < 0.5 * deviation
    is_alike = is_near & (other["std"] < 1.5 * deviation) & (deviation < 1.5 * other["std"])
    _, begins = np.unique(other["step"], return_index=True)
    begins_alike = len(begins) < other.count and bool(is_alike[begins].all())
    return bool(0.3 < is_alike.mean() < 0.9) or (begins_alike and not is_alike.all())


def asks_for_two_kinds(window: Window) -> bool:
    """Whether a model that is trained is asked by hand about data of two kinds."""
    phases = ((window.batches("train", each.id), window.batches("eval", each.id)) for each in window.models)
    return any(train.count and are_of_two_kinds(*comparable(train, other)) for train, other in phases)


def _numbers(rows: Table) -> Table:
    is_float = np.array([str(dtype).startswith(("float", "bfloat", "double")) for dtype in rows["dtype"]], bool)
    rows = rows.where(is_float & np.isfinite(rows["std"]) & np.isfinite(rows["mean"]))
    widths = np.array([0 if shape is None else len(shape) for shape in rows["shape"]], int)
    return rows.where(widths == widths[0]) if rows.count else rows


def _as_wide(train: Table, other: Table) -> Table:
    """The evaluations of as many features as are trained on: a part of a model, as a decoder, may be asked alone."""
    known = {tuple(shape[1:]) for shape in train["shape"] if shape is not None}
    return other.where(
        np.array([shape is None or len(shape) != 2 or tuple(shape[1:]) in known for shape in other["shape"]], bool)
    )


def _new_to(train: Table, other: Table) -> Table:
    """The evaluations of data that were not trained on, if there are any: many evaluate the training data as well."""
    known = np.unique(sample_hashes(train))
    is_new = np.array([s is None or not len(s) or np.isin(s, known).mean() < 0.5 for s in other["samples"]], bool)
    return other.where(is_new) if is_new.any() else other
