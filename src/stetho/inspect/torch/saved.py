"""Modules in files: TorchScript, `torch.export` archives, and pickled modules where the user trusts them."""

import pickle
import warnings
import zipfile
from pathlib import Path

import torch
from torch.nn import Module

from stetho.errors import UsageError, kind_of


def load_saved(file: Path, *, unsafe: bool = False) -> Module:
    """The module in a file. Pickles run code when they are opened, and are opened only with `unsafe`."""
    names = _names(file)
    if any(name.rpartition("/")[2] == "serialized_exported_program.json" or "/models/" in name for name in names):
        return _with_layers(torch.export.load(file))
    if any(name.rpartition("/")[2] == "constants.pkl" for name in names):
        return torch.jit.load(file, map_location="cpu")  # type: ignore[no-any-return, no-untyped-call]
    if unsafe:
        found = _unpickled(file, safely=False)
        if isinstance(found, Module):
            return found
        raise UsageError(f"{file}: holds {kind_of(found)}, not a module; {_move(file)}")
    try:
        found = _unpickled(file, safely=True)
    except pickle.UnpicklingError:
        raise UsageError(
            f"{file}: a pickled object, which may run any code when it is opened; add --unsafe if you trust it"
        ) from None
    raise UsageError(f"{file}: holds tensors and no module ({type(found).__name__}); {_move(file)}")


def _with_layers(program: torch.export.ExportedProgram) -> Module:
    """An exported program as layers that call each other, under the names that their classes had."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)  # of what torch itself does there
            model = torch.export.unflatten(program)
    except Exception:  # not every program can be taken apart
        return program.module()
    for part in model.modules():
        name = getattr(part, "type_name", lambda: None)()
        if isinstance(name, str):
            part.__class__ = type(name.rpartition(".")[2], (type(part),), {})
    return model


def _unpickled(file: Path, *, safely: bool) -> object:
    try:
        return torch.load(file, map_location="cpu", weights_only=safely)
    except pickle.UnpicklingError as error:
        if safely and "weights_only" in str(error).lower():
            raise
        raise UsageError(f"{file}: is no saved module ({str(error).splitlines()[0]}); {_move(file)}") from None
    except (RuntimeError, EOFError, OSError, AttributeError, ImportError, ValueError, KeyError) as error:
        raise UsageError(f"{file}: cannot be opened ({type(error).__name__}: {error}); {_move(file)}") from None


def _names(file: Path) -> list[str]:
    return zipfile.ZipFile(file).namelist() if zipfile.is_zipfile(file) else []


def _move(file: Path) -> str:
    return f"name the code that makes the model, as file.py:callable, to load {file.name} into"
