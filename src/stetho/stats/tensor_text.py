"""A tensor in one readable line, the same wherever one is shown; knows nothing of the framework that made it."""

from collections.abc import Sequence

from stetho.stats.summary import Summary

MOST_VALUES = 6


def tensor_text(
    dtype: str,
    shape: Sequence[int],
    device: str,
    *,
    requires_grad: bool = False,
    summary: Summary | None = None,
    values: Sequence[float] = (),
) -> str:
    """Type, shape, device, then the values themselves where they are few, or what they are like.

    >>> tensor_text("float32", [2, 2], "cpu", summary=Summary(4, 0, 0, 1, 0.0, 3.0, 1.5, 5.0))
    'float32[2, 2] cpu min 0 max 3 mean 1.5 std 1.118 zeros 25%'
    >>> tensor_text("int64", [3], "cpu", values=[1, 2, 10])
    'int64[3] cpu 1, 2, 10'
    """
    words = [f"{dtype}{list(shape)}", device]
    words += ["grad"] if requires_grad else []
    if values:
        words.append(", ".join(f"{value:.4g}" if isinstance(value, float) else str(value) for value in values))
    elif summary is not None and summary.elements:
        words.append(summary_text(summary))
    return " ".join(words)


def summary_text(summary: Summary) -> str:
    """Range, mean and deviation of the finite values, and how many are zero or not finite.

    >>> summary_text(Summary(3, 1, 2, 0, 0.0, 0.0, 0.0, 0.0))
    'nan 1 inf 2'
    """
    _, count, nans, infs, zeros, low, high, mean, std, *_ = summary.row(1)
    words = [f"min {low:.4g} max {high:.4g} mean {mean:.4g} std {std:.4g}"] if summary.finite else []
    words += [f"zeros {zeros / count:.0%}"] if zeros else []
    words += [f"nan {nans:.0f}"] if nans else []
    words += [f"inf {infs:.0f}"] if infs else []
    return " ".join(words)
