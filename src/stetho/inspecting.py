"""`stetho.summary` and `stetho.graph`: a model as a table and as a picture."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from stetho.inspect.summarizing import Summary


class ModelSummary:
    """A summary of a model. Printed, it is a table; in a notebook too; `data` is the same as plain data."""

    def __init__(self, data: Summary, *, depth: int | None, columns: Sequence[str], whole: bool) -> None:
        self.data = data
        self._shown: dict[str, Any] = {"depth": depth, "columns": columns, "whole": whole}

    def print(self, file: TextIO) -> None:
        """Draw the table on a stream, as wide as that is."""
        from stetho.views.model_summary import print_model_summary

        print_model_summary(self.data, file, **self._shown)

    def __str__(self) -> str:
        drawn = io.StringIO()
        self.print(drawn)
        return drawn.getvalue().rstrip("\n")

    __repr__ = __str__

    def markdown(self) -> str:
        """The table and the totals in Markdown."""
        from stetho.views.markup import markdown_table
        from stetho.views.model_summary import summary_table, total_lines

        lines = "\n".join(f"- {line}" for line in total_lines(self.data))
        return f"{markdown_table(*summary_table(self.data, **self._shown))}\n\n{lines}\n"

    def document(self) -> dict[str, Any]:
        """Everything as plain data that JSON can hold."""
        from stetho.views.model_summary import summary_document

        return summary_document(self.data)

    def _repr_html_(self) -> str:
        from html import escape

        from stetho.views.markup import html_table
        from stetho.views.model_summary import summary_table, total_lines

        lines = "".join(f"<div>{escape(line)}</div>" for line in total_lines(self.data))
        return html_table(*summary_table(self.data, **self._shown), caption=self.data.name) + lines


def summary(
    model: Any, inputs: Any = None, *, depth: int | None = None, columns: Sequence[str] = (), whole: bool = False
) -> ModelSummary:
    """The layers of a model in the order of their calls, with shapes, parameters, FLOPs and memory.

    `inputs` is what `stetho.visit` takes; without it, the model is not called and shapes stay unknown. A model that
    fails shows the layers that ran, the one that failed, and why. `columns` chooses among class, settings, input,
    output, dtype, device, parameters, trainable, flops, backward, memory, time and line. Equal neighbours are folded
    into one row, unless the `whole` is wanted.

    >>> import torch
    >>> print(summary(torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 2)), (16, 4)))
    layer    class       output  parameters  FLOPs  backward   kept
    (model)  Sequential  16×2            58  1536   2048      768 B
      0      Linear      16×8            40  1024   1024      256 B
      1      ReLU        16×8             –      –         –  512 B
      2      Linear      16×2            18    512   1024          –
    <BLANKLINE>
    58 parameters, 232 B
    one call on 256 B of input: 1.54 kFLOP forward, 2.05 kFLOP backward, 768 B kept for the backward pass, 3 operations
    """
    from stetho.inspect.inputs import call_of
    from stetho.inspect.summarizing import summarize
    from stetho.inspect.torch.recording import record
    from stetho.inspect.torch.structure import parts_of

    call = None if inputs is None else call_of(model, inputs)
    recording = record(model, call, keep_failure=True) if call is not None else None
    data = summarize(parts_of(model), recording, type(model).__name__)
    return ModelSummary(data, depth=depth, columns=columns, whole=whole)
