"""Samples that have one label in training and another one where they are evaluated."""

from collections import Counter

from stetho.capture.torch.feed.kept_samples import KeptSamples

LEAST_CLASSES = 3


def relabelled(train: KeptSamples, evaluated: KeptSamples) -> dict[str, object] | None:
    """How many evaluated samples were trained on, how many of them by another label, and which labels those were.

    `given` counts the labels in training of those that differ, `truth` the ones in evaluation.
    """
    if train.classes < LEAST_CLASSES or evaluated.classes != train.classes or not len(train) or not len(evaluated):
        return None
    known = _labels(train)
    pairs = [(known[sample], label) for sample, label in _labels(evaluated).items() if sample in known]
    other = [(given, truth) for given, truth in pairs if given != truth]
    return {
        "both": len(pairs),
        "differ": len(other),
        "given": dict(Counter(str(given) for given, _ in other)),
        "truth": dict(Counter(str(truth) for _, truth in other)),
    }


def _labels(kept: KeptSamples) -> dict[bytes, int]:
    """The label of each sample, by what it is told by."""
    told, targets = kept.all()
    keys = (row.tobytes() + own.tobytes() for row, own in zip(told.features, told.ids, strict=True))
    return dict(zip(keys, targets.astype(int).tolist(), strict=True))
