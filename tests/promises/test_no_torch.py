"""A recorded run is opened, queried, shown and exported where torch cannot be imported."""

import os
import subprocess
import sys

import pytest

WITHOUT_TORCH = """
import sys

class NoTorch:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "torch":
            raise ImportError("torch is not installed here")

sys.meta_path.insert(0, NoTorch())
"""


@pytest.fixture
def without_torch(tmp_path):
    """Runs python words in an interpreter that has no torch, in a folder of its own."""
    (tmp_path / "sitecustomize.py").write_text(WITHOUT_TORCH)

    def run(*words):
        variables = {**os.environ, "PYTHONPATH": str(tmp_path)}
        done = subprocess.run(
            [sys.executable, *words], cwd=tmp_path, env=variables, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.fixture(scope="module")
def recorded(programs):
    return str(programs.watched("plain_loop").runs[0])


def test_torch_is_really_not_there(without_torch):
    assert without_torch("-c", "try:\n  import torch\nexcept ImportError as error:\n  print(error)").startswith(
        "torch is"
    )


def test_python_reads_series_tables_and_tensors(without_torch, recorded):
    code = (
        "import stetho, sys; run = stetho.open_run(sys.argv[1]);"
        "steps, values = run.values('act.rms', 'fc1');"
        "print(len(steps), run.table('steps').num_rows, len(run.frame('steps')), sorted(run.tensors(1))[0] != '',"
        " run.query('select max(step) from steps')[0][0], 'torch' in sys.modules)"
    )
    assert without_torch("-c", code, recorded).split() == ["48", "48", "48", "True", "48", "False"]


@pytest.mark.parametrize(
    "words",
    [
        ("show",),
        ("query", "select name, count(*) from stats group by name"),
        ("export", "--to", "csv"),
        ("export", "--to", "parquet"),
        ("export", "--to", "tensorboard"),
    ],
    ids=" ".join,
)
def test_every_reading_command_works(without_torch, recorded, words):
    command, *rest = words
    without_torch("-m", "stetho", command, recorded, *rest)


def test_runs_are_listed(without_torch, recorded):
    assert "plain_loop" in without_torch("-m", "stetho", "runs", "--out", os.path.dirname(recorded))
