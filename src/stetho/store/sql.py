"""SQL over a run: DuckDB on the mapped segments, shut off from the file system and the network."""

from typing import TYPE_CHECKING

import pyarrow as pa

from stetho.errors import UsageError
from stetho.store.format import TABLES
from stetho.store.series_names import SERIES_SCHEMA, series_table

if TYPE_CHECKING:
    import duckdb

    from stetho.store.reader import Run

_NAMES = ", ".join(SERIES_SCHEMA.names[1:])


def run_query(run: "Run", sql: str) -> pa.Table:
    """The rows that a query gives; one that DuckDB refuses is a UsageError with the tables and columns there are."""
    import duckdb

    with duckdb.connect(
        ":memory:", config={"enable_external_access": "false", "python_enable_replacements": "false"}
    ) as connection:
        _make_views(connection, run)
        connection.execute("SET lock_configuration = true")
        try:
            result = connection.sql(sql)
            if result is not None:
                return result.to_arrow_table()
        except duckdb.Error as error:
            raise UsageError(f"{str(error).strip().splitlines()[0]}\n{describe_tables()}") from error
    raise UsageError(f"this SQL gives no rows; write a select\n{describe_tables()}")


def describe_tables() -> str:
    """The tables and columns that a query can use, a line for each table.

    >>> print(describe_tables().splitlines()[0])
    series: id, model, name, role, phase
    """
    lines = [f"series: {', '.join(SERIES_SCHEMA.names)}"]
    for table, schema in TABLES.items():
        names = schema.names
        if "series" in names:
            names = ["step", "series", *SERIES_SCHEMA.names[1:], *names[2:]]
        lines.append(f"{table}: {', '.join(names)}")
    return "\n".join(lines)


def _make_views(connection: "duckdb.DuckDBPyConnection", run: "Run") -> None:
    for table, schema in TABLES.items():
        rows = pa.Table.from_batches(run.rows(table).batches(), schema)
        if "series" not in schema.names:
            connection.register(table, rows)
            continue
        connection.register(f"{table}_rows", rows)
    connection.register("series", series_table(run.series))
    for table, schema in TABLES.items():
        if "series" in schema.names:
            measures = ", ".join(f'"{name}"' for name in schema.names[2:])
            connection.execute(
                f"CREATE VIEW {table} AS SELECT step, series, {_NAMES}, {measures} "
                f"FROM {table}_rows LEFT JOIN series ON series.id = {table}_rows.series"
            )
