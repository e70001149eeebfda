"""`stetho.summary` and `stetho.graph`: a model as a table and as a picture."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from pathlib import Path

    from stetho.inspect.network import Network
    from stetho.inspect.summarizing import Summary


class ModelSummary:
    """A summary of a model. Printed, it is a table; in a notebook too; `data` is the same as plain data."""

    def __init__(self, data: Summary, *, depth: int | None, columns: Sequence[str], whole: bool) -> None:
        self.data = data
        self._shown: dict[str, Any] = {"depth": depth, "columns": columns, "whole": whole}

    def print(self, file: TextIO) -> None:
        """Draw the table on a stream, as wide as that is."""
        from stetho.inspect.uncollected import uncollected
        from stetho.views.model_summary import print_model_summary

        with uncollected():
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
    layer    class       output  parameters   FLOPs  backward   kept
    (model)  Sequential  16×2            58  1.54 k    2.05 k  768 B
      0      Linear      16×8            40  1.02 k    1.02 k  256 B
      1      ReLU        16×8             –       –         –  512 B
      2      Linear      16×2            18     512    1.02 k      –
    <BLANKLINE>
    58 parameters, 232 B
    one call on 256 B of input: 1.54 kFLOP forward, 2.05 kFLOP backward, 768 B kept for the backward pass, 3 operations
    """
    from stetho.inspect.inputs import call_of
    from stetho.inspect.summarizing import summarize
    from stetho.inspect.torch.recording import record
    from stetho.inspect.torch.structure import parts_of
    from stetho.inspect.uncollected import uncollected

    with uncollected():
        call = None if inputs is None else call_of(model, inputs)
        recording = record(model, call, keep_failure=True, is_terse=True) if call is not None else None
        data = summarize(parts_of(model), recording, type(model).__name__)
    return ModelSummary(data, depth=depth, columns=columns, whole=whole)


class ModelGraph:
    """The graph of a model: `save` writes it, in a notebook it is shown, `data` is the same as plain data."""

    def __init__(self, data: Network) -> None:
        self.data = data

    @property
    def measures(self) -> list[str]:
        """The numbers that nodes can be coloured by."""
        return list(dict.fromkeys(name for node in self.data.nodes for name in node.numbers))

    def save(
        self, file: str | Path, *, depth: int | None = None, detailed: bool = False, colour: str = "class"
    ) -> None:
        """Write a page (.html), a picture (.svg), or data for others (.dot, .json)."""
        from pathlib import Path

        from stetho.views.graph_file import write_graph

        write_graph(self.data, Path(file), depth=depth, detailed=detailed, colour=colour)

    def _repr_html_(self) -> str:
        from html import escape

        from stetho.views.graph_file import graph_bytes

        page = graph_bytes(self.data, ".html", depth=None, detailed=False, colour="class").decode()
        return f'<iframe style="width:100%;height:600px;border:0" srcdoc="{escape(page)}"></iframe>'


def graph(model: Any, inputs: Any, *, stats: str | Path | None = None) -> ModelGraph:
    """The network as nested boxes: layers hold layers and operations, edges are tensors with their shapes.

    `inputs` is what `stetho.visit` takes. With `stats`, a recorded run, layers carry what was last measured on them.

    >>> import torch
    >>> made = graph(torch.nn.Sequential(torch.nn.Linear(4, 2), torch.nn.ReLU()), (1, 4))
    >>> [node.label for node in made.data.nodes]
    ['Sequential', '0', '1', 'linear', 'input', 'relu', 'output']
    >>> made.save("graph.svg")
    """
    from stetho.inspect.inputs import call_of
    from stetho.inspect.network import network_of
    from stetho.inspect.torch.recording import record
    from stetho.inspect.torch.structure import parts_of
    from stetho.inspect.uncollected import uncollected

    numbers: dict[str, dict[str, float]] = {}
    if stats is not None:
        from stetho.store.reader import open_run
        from stetho.views.layers import layers_of

        numbers = {layer.name: layer.stats for layer in layers_of(open_run(stats))}
    with uncollected():
        recording = record(model, call_of(model, inputs), keep_failure=True)
        return ModelGraph(network_of(parts_of(model), recording, type(model).__name__, numbers))
