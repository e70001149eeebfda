"""Importing stetho, and starting its command line, loads nothing heavy."""

import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = {"torch", "numpy", "pandas", "pyarrow", "duckdb", "rich", "psutil", "safetensors", "tensorboard"}


def modules_loaded_by(code: str, folder: Path) -> set[str]:
    report = "import atexit, sys; atexit.register(lambda: print('LOADED', *sys.modules, file=sys.stderr))"
    done = subprocess.run([sys.executable, "-c", f"{report}\n{code}"], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return set(done.stderr.rpartition("LOADED ")[2].split())


def command(*words: str) -> str:
    return f"import sys; from stetho.__main__ import main; sys.argv = {['stetho', *words]}; sys.exit(main())"


def test_import_loads_nothing_heavy(tmp_path: Path) -> None:
    assert not HEAVY & modules_loaded_by("import stetho", tmp_path)


def test_listing_the_public_names_loads_nothing_heavy(tmp_path: Path) -> None:
    assert not HEAVY & modules_loaded_by("import stetho; dir(stetho); stetho.__version__", tmp_path)


@pytest.mark.parametrize("words", [["--help"], ["run", "--help"], ["show", "--help"], ["query", "--help"]])
def test_help_loads_nothing_heavy(words: list[str], tmp_path: Path) -> None:
    assert not HEAVY & modules_loaded_by(command(*words), tmp_path)


def test_a_program_under_watch_starts_before_anything_heavy_is_loaded(tmp_path: Path) -> None:
    # The program's own settings (os.environ at its top) must come before torch and numpy read them.
    program = tmp_path / "program.py"
    program.write_text(f"import sys\nearly = {HEAVY} & set(sys.modules)\nassert not early, early\n")
    modules_loaded_by(command("run", "program.py"), tmp_path)
