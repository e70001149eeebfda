"""The public names: a change here is a change for every user, so it is made on purpose."""

import subprocess
import sys

import pytest

import stetho

PUBLIC = [
    "Callback",
    "Checkpoint",
    "CheckpointError",
    "DataReport",
    "Profiling",
    "Run",
    "RunError",
    "StethoError",
    "Trace",
    "UsageError",
    "Watch",
    "__version__",
    "add_callback",
    "assert_finite",
    "assert_shape",
    "check_checkpoint",
    "compare",
    "data",
    "diff_checkpoints",
    "equivalent",
    "graph",
    "log",
    "measure_checkpoint",
    "open_checkpoint",
    "open_run",
    "port",
    "pretty_tensors",
    "profile",
    "shell",
    "summary",
    "trace",
    "visit",
    "watch",
]


def test_the_public_names_are_these() -> None:
    assert sorted(stetho.__all__) == PUBLIC


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_name_is_there_and_documented(name: str) -> None:
    value = getattr(stetho, name)
    assert name in dir(stetho)
    assert isinstance(value, str) or value.__doc__


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="wacth"):
        stetho.wacth  # noqa: B018 - reading it is the test


def test_a_star_import_gives_the_public_names() -> None:
    code = f"from stetho import *; missing = {set(PUBLIC)} - set(dir()); assert not missing, missing"
    subprocess.run([sys.executable, "-c", code], check=True)
