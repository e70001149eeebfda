"""SQL sees the run and nothing else."""

from pathlib import Path

import pytest

from stetho.errors import UsageError
from stetho.store.reader import Run, open_run
from stetho.store.sql import describe_tables

from .conftest import LAYOUTS


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return open_run(LAYOUTS["segments and tails"](tmp_path_factory.mktemp("runs")).path)


def test_tables_join_and_aggregate(run: Run) -> None:
    sql = "select name, count(*) as n from stats join steps using (step) where loss < 0.5 group by name order by name"
    assert run.query(sql).to_pylist() == [{"name": "fc1", "n": 63}, {"name": "fc1.weight", "n": 21}]


def test_series_are_a_table(run: Run) -> None:
    assert run.query("select name, role from series where id = 2").to_pylist() == [
        {"name": "fc1.weight", "role": "update"}
    ]


@pytest.mark.parametrize(
    "sql",
    [
        "select * from read_text('{secret}')",
        "select * from read_csv('{secret}')",
        "select * from '{secret}'",
        "select * from glob('{folder}/*')",
        "copy steps to '{folder}/out.csv'",
        "copy (select 1) to '{folder}/out.parquet'",
        "export database '{folder}/out'",
        "attach '{folder}/out.db'",
        "install httpfs",
        "load '{folder}/extension'",
        "select * from read_parquet('http://127.0.0.1:9/x.parquet')",
        "set enable_external_access = true",
        "reset enable_external_access",
        "set lock_configuration = false",
        "set temp_directory = '{folder}'",
        "create persistent secret s (type s3, key_id 'a', secret 'b')",
    ],
)
def test_sql_reaches_neither_files_nor_the_network(run: Run, tmp_path: Path, sql: str) -> None:
    secret = tmp_path / "secret.csv"
    secret.write_text("a,b\n1,2\n")
    with pytest.raises(UsageError, match=r"Error|Secret"):
        run.query(sql.format(secret=secret, folder=tmp_path))
    assert list(tmp_path.iterdir()) == [secret]


def test_sql_does_not_see_python_variables(run: Run) -> None:
    import pyarrow as pa

    mine = pa.table({"a": [1]})
    with pytest.raises(UsageError, match="mine does not exist"):
        run.query("select * from mine")
    assert mine.num_rows == 1


@pytest.mark.parametrize("sql", ["selec 1", "select nothing from steps", "select * from nowhere", "select 1 +"])
def test_wrong_sql_is_one_line_of_reason_and_the_tables(run: Run, sql: str) -> None:
    with pytest.raises(UsageError) as raised:
        run.query(sql)
    reason, _, tables = str(raised.value).partition("\n")
    assert "Error" in reason
    assert tables == describe_tables()


@pytest.mark.parametrize("sql", ["", "-- nothing", ";"])
def test_sql_without_rows_says_so(run: Run, sql: str) -> None:
    with pytest.raises(UsageError, match="gives no rows"):
        run.query(sql)


def test_a_query_that_fails_half_way_is_a_usage_error(run: Run) -> None:
    with pytest.raises(UsageError, match="Conversion Error"):
        run.query("select cast(tier as int) from steps")


def test_every_table_is_described() -> None:
    assert [line.partition(":")[0] for line in describe_tables().splitlines()] == [
        "series",
        "steps",
        "stats",
        "histograms",
        "batches",
        "metrics",
        "memory",
    ]
