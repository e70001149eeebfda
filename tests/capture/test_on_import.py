"""An action right after an import, without importing anything before the program does."""

import importlib
import sys

import pytest

from stetho.capture.on_import import when_imported


@pytest.fixture
def module(tmp_path, monkeypatch):
    """The name of a module that can be imported and has not been."""
    (tmp_path / "patience.py").write_text("import sys\nvalue = 1\nassert 'patience' in sys.modules\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "patience", raising=False)
    before = list(sys.meta_path)
    yield "patience"
    sys.modules.pop("patience", None)
    assert sys.meta_path == before


def test_nothing_is_imported_by_waiting(module):
    undo = when_imported(module, print)
    assert module not in sys.modules
    undo()


def test_the_action_sees_the_finished_module(module):
    seen = []
    when_imported(module, lambda found: seen.append((found.__name__, found.value)))
    importlib.import_module(module)
    assert seen == [(module, 1)]


def test_the_action_comes_once(module):
    seen = []
    when_imported(module, seen.append)
    importlib.reload(importlib.import_module(module))
    assert len(seen) == 1


def test_a_module_that_is_there_is_taken_at_once(module):
    importlib.import_module(module)
    seen = []
    undo = when_imported(module, seen.append)
    assert seen == [sys.modules[module]]
    undo()


def test_called_off_it_does_nothing(module):
    seen = []
    undo = when_imported(module, seen.append)
    undo()
    undo()
    importlib.import_module(module)
    assert seen == []


def test_the_module_looks_as_if_we_had_not_been_there(module):
    when_imported(module, lambda _: None)
    found = importlib.import_module(module)
    assert type(found.__loader__).__module__.startswith("_frozen_importlib")
    assert found.__spec__.loader is found.__loader__
    assert importlib.util.find_spec(module).loader.path == found.__file__


def test_other_imports_go_their_way(module):
    seen = []
    undo = when_imported("no_module_of_this_name", seen.append)
    importlib.import_module(module)
    undo()
    assert seen == []


def test_a_missing_module_is_missing_as_ever():
    undo = when_imported("no_module_of_this_name", print)
    with pytest.raises(ModuleNotFoundError, match="no_module_of_this_name"):
        importlib.import_module("no_module_of_this_name")
    undo()


def test_an_error_of_the_module_is_the_modules(module, tmp_path):
    (tmp_path / "patience.py").write_text("raise RuntimeError('broken')")
    seen = []
    when_imported(module, seen.append)
    with pytest.raises(RuntimeError, match="broken"):
        importlib.import_module(module)
    assert seen == []
