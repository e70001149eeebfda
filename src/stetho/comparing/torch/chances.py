"""Calls that drop numbers by chance, which a comparison leaves out."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import Any

from stetho.capture.source import is_user_code

DROPOUT = ("dropout", "alpha_dropout", "feature_alpha_dropout", "dropout1d", "dropout2d", "dropout3d")


def chance_of(function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> float:
    """The chance by which a call drops numbers; zero for what drops none.

    >>> import torch
    >>> chance_of(torch.nn.functional.dropout, (None, 0.2, True), {}), chance_of(torch.relu, (None,), {})
    (0.2, 0.0)
    """
    name = getattr(function, "__name__", "")
    if name == "scaled_dot_product_attention":
        return float(kwargs.get("dropout_p", args[4] if len(args) > 4 else 0.0))
    if name not in DROPOUT:
        return 0.0
    told = {**dict(zip(("input", "p", "training"), args, strict=False)), **kwargs}
    # Of the others, training has to be asked for.
    is_on = told.get("training", name not in ("alpha_dropout", "feature_alpha_dropout"))
    return float(told.get("p", 0.5)) if is_on else 0.0


def line_at(frame: FrameType | None) -> str:
    """The line of the model's own code at or above a frame, to be put behind what is done there."""
    while frame is not None and not is_user_code(frame.f_code):
        frame = frame.f_back
    return f" ({Path(frame.f_code.co_filename).name}:{frame.f_lineno})" if frame is not None else ""
