"""SQL over a run: DuckDB on the mapped segments, shut off from the file system and the network."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import pyarrow as pa

from stetho.errors import UsageError
from stetho.store.format import TABLES
from stetho.store.series_names import SERIES_SCHEMA, named_schema

if TYPE_CHECKING:
    import duckdb


def run_query(sql: str, rows: Mapping[str, pa.Table], series: pa.Table) -> pa.Table:
    """The rows that a query gives; one that DuckDB refuses is a UsageError with the tables and columns there are."""
    import duckdb

    with duckdb.connect(
        ":memory:", config={"enable_external_access": "false", "python_enable_replacements": "false"}
    ) as connection:
        _make_views(connection, rows, series)
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
        lines.append(f"{table}: {', '.join(named_schema(schema).names)}")
    return "\n".join(lines)


def _make_views(connection: "duckdb.DuckDBPyConnection", rows: Mapping[str, pa.Table], series: pa.Table) -> None:
    connection.register("series", series)
    for table, schema in TABLES.items():
        if "series" not in schema.names:
            connection.register(table, rows[table])
            continue
        connection.register(f"{table}_rows", rows[table])
        columns = ", ".join(f'"{name}"' for name in named_schema(schema).names)
        connection.execute(
            f"CREATE VIEW {table} AS SELECT {columns} FROM {table}_rows AS rows LEFT JOIN series ON id = rows.series"
        )
