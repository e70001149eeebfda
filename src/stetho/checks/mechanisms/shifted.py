"""Inputs that are shifted or scaled against others, over all or feature by feature."""

import numpy as np

from stetho.checks.evidence.inputs import feature_moments, overall
from stetho.checks.run.series import Array
from stetho.checks.run.table import Table

MANY = 8
FEW = 0.25
SHIFTED = 0.3
LATE = 0.75


def lasting_shift(train: Table, other: Table, scale: float, shift: float, samples: int) -> str | None:
    """How far two sets of inputs are apart, in words, if they still are in the last quarter of the run.

    Inputs that another model makes, as those of a head beside its body, drift while that one learns, and are alike at
    the same time. What is prepared in another way is so until the end.
    """
    found = shift_between(train, other, scale, shift)
    since = LATE * float(train["step"][-1])
    late, other_late = (rows.where(rows["step"] >= since) for rows in (train, other))
    if found is None or min(late["size"].sum(), other_late["size"].sum()) < samples:
        return found
    return found if shift_between(late, other_late, scale, shift) else None


def shift_between(train: Table, other: Table, scale: float, shift: float) -> str | None:
    """How far two sets of inputs are apart, in words, if by more than a factor of `scale` or `shift` deviations."""
    (mean, deviation), (other_mean, other_deviation) = overall(train), overall(other)
    pair = sorted((max(deviation, 1e-12), max(other_deviation, 1e-12)))
    if pair[0] <= 1e-9:
        return None  # A constant input in one of them is judged elsewhere.
    if pair[1] > scale * pair[0] and not _is_of_few_features(feature_moments(train), feature_moments(other), scale):
        return f"a factor of {pair[1] / pair[0]:.3g}"
    if abs(mean - other_mean) > shift * pair[1]:
        return f"{abs(mean - other_mean) / pair[1]:.2g} deviations apart"
    return _in_features(feature_moments(train), feature_moments(other), scale, shift)


def _is_of_few_features(train: tuple[Array, Array], other: tuple[Array, Array], scale: float) -> bool:
    """Whether a few features alone are wider and lie around the same mean: rare values of what hardly ever varies.

    A feature that is constant for nearly all samples gets enormous values for the others when it is standardised.
    """
    (mean, deviation), (other_mean, other_deviation) = train, other
    if len(mean) < MANY or len(mean) != len(other_mean):
        return False
    narrow, wide = np.minimum(deviation, other_deviation), np.maximum(deviation, other_deviation)
    odd = wide > scale * np.maximum(narrow, 1e-9)
    is_shifted = np.abs(mean - other_mean) > SHIFTED * wide
    return bool(odd.mean() < FEW and not (odd & is_shifted).any())


def _in_features(train: tuple[Array, Array], other: tuple[Array, Array], scale: float, shift: float) -> str | None:
    (mean, deviation), (other_mean, other_deviation) = train, other
    if len(mean) < 2 or len(mean) != len(other_mean):
        return None
    if (alive := (deviation > 1e-9) & (other_deviation > 1e-9)).sum() < 2:
        return None
    apart = np.abs(mean - other_mean)[alive] / np.maximum(deviation, other_deviation)[alive]
    factor = np.exp(np.abs(np.log(deviation[alive] / other_deviation[alive])))
    odd = (apart > shift) | (factor > scale)
    return f"in {odd.sum()} of {alive.sum()} features" if odd.mean() > 0.5 else None
