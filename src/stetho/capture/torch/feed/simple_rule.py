"""Whether a simple rule made of training samples holds for other training samples, and for evaluated ones.

No model is asked: targets are regressed on a few features, and on the mean target of every id. Where such a rule holds
for training samples that it was not made of, targets go with their inputs; where it does not hold for evaluated samples
as well, these follow another rule.
"""

import numpy as np
import numpy.typing as npt

from stetho.capture.torch.feed.factors import Factors
from stetho.capture.torch.feed.kept_samples import Array, KeptSamples, Told

MOST_CLASSES = 50
LEAST_SAMPLES = 40
RIDGE = 0.3
SHRUNK = 5.0
"""The mean of an id counts as if so many more samples were at the mean of all."""


def rule_result(train: KeptSamples, evaluated: KeptSamples) -> dict[str, object] | None:
    """How far a rule goes, as the share of right answers or as a correlation; None with too few samples."""
    classes = train.classes
    if len(train) < LEAST_SAMPLES or classes > MOST_CLASSES:
        return None
    told, targets = train.all()
    wanted = _wanted(targets, classes)
    found: dict[str, object] = {"classes": classes, "samples": len(train)}
    found |= {"held": _held(told, wanted, classes)[0], "chance": _chance(wanted, classes)}
    if told.ids.shape[1]:
        found |= {"groups": [len(np.unique(column)) for column in told.ids.T]}
    if len(evaluated) < LEAST_SAMPLES or evaluated.classes != classes:
        return found
    other, right = evaluated.all()
    if [part.shape[1:] for part in other[:2]] != [part.shape[1:] for part in told[:2]]:
        return found
    truth = _wanted(right, classes)
    found |= {"evaluated_samples": len(evaluated), "evaluated_chance": _chance(truth, classes)}
    found["evaluated"] = _agreement(_Rule(told, wanted).answers(other), truth, classes)
    # The same the other way round: a rule among the evaluated samples, and how far it holds in training.
    found["evaluated_held"], *mirrored = _held(other, truth, classes)
    found["trained"] = _agreement(_Rule(other, truth).answers(told), wanted, classes)
    return found | {"mirrored": mirrored}


class _Rule:
    """Ridge regression on standardised features; for what is left, the mean of each id, and factors of two of them."""

    def __init__(self, told: Told, wanted: Array) -> None:
        features = told.features
        self._mean, spread = features.mean(0), features.std(0)
        self._scale = np.where(spread > 1e-9, 1 / np.maximum(spread, 1e-9), 0.0)
        self._center = wanted.mean(0)
        given, left = self._standardised(features), wanted - self._center
        width = given.shape[1]
        self._weights = np.linalg.solve(given.T @ given + RIDGE * len(given) * np.eye(width), given.T @ left)
        left = left - given @ self._weights
        self._of_ids = [_means(column, left) for column in told.ids.T]
        self._factors: Factors | None = None
        if told.ids.shape[1] > 1 and left.shape[1] <= 2:
            # Of two classes, what is left of one is what the other has too much.
            self._factors = Factors(told.ids[:, 0], told.ids[:, 1], left[:, 0] - self._by_ids(told)[:, 0])

    def answers(self, told: Told) -> Array:
        """What the rule says of samples, a column for each class."""
        said: Array = self._center + self._standardised(told.features) @ self._weights + self._by_ids(told)
        if self._factors is not None:
            together = self._factors.answers(told.ids[:, 0], told.ids[:, 1])
            said += together[:, None] * np.array([1.0, -1.0])[: said.shape[1]]
        return said

    def _by_ids(self, told: Told) -> Array:
        nothing = np.zeros(len(self._center))
        said = np.zeros((len(told.ids), len(self._center)))
        for means, column in zip(self._of_ids, told.ids.T, strict=True):
            said += np.stack([means.get(each, nothing) for each in column.tolist()])
        return said

    def _standardised(self, features: Array) -> Array:
        given = (features - self._mean) * self._scale
        # What lies around something differs in its distance from the middle alone. One outlier is no reason for more.
        return np.asarray(np.clip(np.hstack([given, np.abs(given) - 0.8]), -5, 5))


def _means(column: npt.NDArray[np.int64], left: Array) -> dict[int, Array]:
    values, place = np.unique(column, return_inverse=True)
    sums, counts = np.zeros((len(values), left.shape[1])), np.bincount(place)
    np.add.at(sums, place, left)
    return dict(zip(values.tolist(), sums / (counts + SHRUNK)[:, None], strict=True))


def _wanted(targets: Array, classes: int) -> Array:
    return np.eye(classes)[targets.astype(int)] if classes else targets[:, None]


def _held(told: Told, wanted: Array, classes: int) -> list[float]:
    """How far a rule made of one half of the samples goes for the other, on average of both; then for mirrored ones."""
    ways = [told.mirrored[:, way] for way in range(told.mirrored.shape[1])]
    asked = [told, *(told._replace(features=each) for each in ways)]
    # In an order of our own: samples may come in turns.
    half = np.random.default_rng(0).permutation(len(wanted)) % 2 == 0
    found = []
    for own in (half, ~half):
        rule = _Rule(told.rows(own), wanted[own])
        found.append([_agreement(rule.answers(each.rows(~own)), wanted[~own], classes) for each in asked])
    return [float(each) for each in np.mean(found, 0)]


def _agreement(said: Array, wanted: Array, classes: int) -> float:
    if classes:
        return float((said.argmax(1) == wanted.argmax(1)).mean())
    spreads = float(said.std() * wanted.std())
    return float(((said - said.mean()) * (wanted - wanted.mean())).mean() / spreads) if spreads > 1e-12 else 0.0


def _chance(wanted: Array, classes: int) -> float:
    return float(wanted.mean(0).max()) if classes else 0.0
