"""Labels that the loss leaves out: at the ends of rows they are padding, between labels that count they are not."""

import torch
from torch import Tensor


def ignored_inside(rows: Tensor, tokens: Tensor | None, ignored: int) -> dict[str, object]:
    """The share of rows with labels left out between such that count, and of the labels there.

    `overlap` is the share of those places whose token has a label that counts elsewhere: pieces of words, or marks,
    that never have a label are left out on purpose. `before` is how many different tokens rows begin with that are left
    out: pieces of words do not begin a row, and marks are always the same.

    >>> ignored_inside(torch.tensor([[1, 0, 2, 0], [0, 3, 1, 0]]), None, 0)
    {'ignored_inside': 0.5, 'ignored_inside_share': 0.2}
    """
    counts = rows != ignored
    begun = counts.to(torch.uint8).cummax(1).values.bool()
    goes_on = counts.flip(1).to(torch.uint8).cummax(1).values.bool().flip(1)
    inside = begun & goes_on & ~counts
    if not bool(inside.any()):
        return {}
    found: dict[str, object] = {
        "ignored_inside": float(inside.any(1).float().mean()),
        "ignored_inside_share": int(inside.sum()) / int((inside | counts).sum()),
    }
    if tokens is not None:
        overlap = torch.isin(tokens[inside], tokens[counts])
        found["ignored_overlap"] = float(overlap.float().mean())
        found["ignored_before"] = len(torch.unique(tokens[~begun & counts.any(1, keepdim=True)]))
    return found
