"""The line that `--verbose` prints for each step."""

from collections.abc import Mapping

COLUMNS = (
    ("epoch", "d"),
    ("loss", ".6g"),
    ("accuracy", ".3f"),
    ("lr", ".3g"),
    ("grad_norm", ".3g"),
    ("batch_size", "d"),
)
PARTS = ("data", "forward", "backward", "optimizer", "ours")


def step_line(row: Mapping[str, object], *, detailed: bool) -> str:
    """A step in one line; detailed: with its times, its tier and the order of events.

    >>> step_line({"step": 3, "loss": 0.25, "lr": 0.1, "seconds": 0.5}, detailed=False)
    'step 3 loss 0.25 lr 0.1 0.5 s'
    """
    words = [f"step {row['step']}"]
    for key, form in COLUMNS:
        value = row.get(key)
        if isinstance(value, (int, float)):
            words.append(f"{key} {value:{form}}")
    words.append(f"{row['seconds']:.3g} s")
    if detailed:
        words.append("(" + ", ".join(f"{part} {row[f'{part}_seconds']:.2g}" for part in PARTS) + ")")
        words.append(f"{row['tier']}; {row['order']}")
    return " ".join(words)
