"""`stetho query`: ask a recorded run in SQL."""

import argparse
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa

NAME = "query"
HELP = "ask a recorded run in SQL"

ROWS_ON_A_TERMINAL = 100


def prepare(parser: argparse.ArgumentParser) -> None:
    """Declare the run, the SQL and the form of the answer."""
    parser.epilog = (
        "Tables: steps, stats, histograms, batches, metrics, memory, series; `describe stats` lists columns.\n"
        "The SQL is DuckDB's; it sees the run and nothing else."
    )
    parser.add_argument("run", nargs="?", metavar="RUN", help="folder or name of a run; the latest when left out")
    parser.add_argument("sql", metavar="SQL", help='for example "select step, loss from steps order by loss limit 5"')
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--csv", action="store_true", help="print CSV")
    form.add_argument("--json", action="store_true", help="print a JSON list with an object for each row")
    parser.add_argument(
        "--rows",
        type=int,
        metavar="N",
        help=f"print at most N rows, 0 for all (default: {ROWS_ON_A_TERMINAL}; all with --csv and --json)",
    )
    parser.add_argument("--rank", type=int, metavar="N", help="rank of a distributed job (default: the lowest)")


def run(arguments: argparse.Namespace) -> int:
    """Print what the query gives."""
    from stetho.store.reader import open_run

    table = open_run(arguments.run, rank=arguments.rank).query(arguments.sql)
    limit = arguments.rows
    if limit is None:
        limit = 0 if arguments.csv or arguments.json else ROWS_ON_A_TERMINAL
    shown = table.slice(0, limit) if limit > 0 else table
    form = print_csv if arguments.csv else print_json if arguments.json else print_table
    form(shown)
    if shown.num_rows < table.num_rows:
        sys.stdout.flush()
        print(f"{shown.num_rows} of {table.num_rows} rows; --rows 0 prints all", file=sys.stderr)
    return 0


def print_table(table: "pa.Table") -> None:
    """A table to look at; numbers to the right, six digits."""
    import pyarrow as pa
    from rich.console import Console
    from rich.measure import Measurement
    from rich.table import Table
    from rich.text import Text

    drawn = Table(box=None, pad_edge=False, header_style="bold")
    for field in table.schema:
        is_number = (
            pa.types.is_integer(field.type) or pa.types.is_floating(field.type) or pa.types.is_decimal(field.type)
        )
        drawn.add_column(Text(field.name), justify="right" if is_number else "left", overflow="fold")
    for row in zip(*(column.to_pylist() for column in table.columns), strict=True):
        drawn.add_row(*(Text(cell(value)) for value in row))
    console = Console(highlight=False)
    if not console.is_terminal:
        # A pipe has no width: nothing is folded there, so that grep and cut see whole rows.
        widest = Measurement.get(console, console.options.update(width=1 << 20, max_width=1 << 20), drawn).maximum
        console = Console(highlight=False, width=max(widest, 1))
    console.print(drawn)


def cell(value: object) -> str:
    """One value in a table.

    >>> cell(0.123456789), cell(None), cell([1.0, 2.5])
    ('0.123457', '', '[1, 2.5]')
    """
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, list):
        return f"[{', '.join(map(cell, value))}]"
    return str(value)


def print_csv(table: "pa.Table") -> None:
    """CSV with a header line; a list is a text with blanks between its values."""
    from pyarrow import csv

    from stetho.store.flat import flat

    sys.stdout.flush()
    batches = [flat(batch) for batch in table.combine_chunks().to_batches()] or [flat_header(table)]
    with csv.CSVWriter(sys.stdout.buffer, batches[0].schema) as file:
        for batch in batches:
            file.write(batch)


def flat_header(table: "pa.Table") -> "pa.RecordBatch":
    """A batch without rows, so that an empty answer still has its header line."""
    import pyarrow as pa

    return pa.RecordBatch.from_arrays([pa.nulls(0, pa.string())] * table.num_columns, names=table.schema.names)


def print_json(table: "pa.Table") -> None:
    """A JSON list of objects; NaN and infinity are texts."""
    from stetho.store.documents import encode

    sys.stdout.write(encode(table.to_pylist()).decode())
