"""`stetho checks`: the list."""

import json
from typing import Any

from stetho.checks import CATALOG

Stetho = Any


def test_lists_every_check(stetho: Stetho) -> None:
    done = stetho("checks")
    assert done.returncode == 0, done.stderr
    head, *lines = done.stdout.splitlines()
    assert head.split() == ["check", "family", "severity", "precision", "recall", "finds"]
    assert [line.split()[0] for line in lines] == [check.name for check in CATALOG]


def test_lists_one_family(stetho: Stetho) -> None:
    lines = stetho("checks", "--select", "loop").stdout.splitlines()[1:]
    assert lines
    assert {line.split()[1] for line in lines} == {"loop"}


def test_json_has_the_same(stetho: Stetho) -> None:
    listed = json.loads(stetho("checks", "--json").stdout)
    assert [each["name"] for each in listed] == [check.name for check in CATALOG]
    assert all(each["summary"] for each in listed)
