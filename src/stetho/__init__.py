"""A stethoscope for neural networks: finds out why a network does not train, and shows it.

The public names are loaded when they are first used, so that `import stetho` takes no noticeable time.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from stetho.assertions import assert_finite, assert_shape
    from stetho.callbacks import Callback
    from stetho.checkpoints.checking import check_checkpoint
    from stetho.checkpoints.contents import Checkpoint
    from stetho.checkpoints.diffing import diff_checkpoints
    from stetho.checkpoints.measuring import measure_checkpoint
    from stetho.checkpoints.opening import open_checkpoint
    from stetho.comparing.kinds import compare
    from stetho.comparing.porting.port import port
    from stetho.equivalence.battery import equivalent
    from stetho.errors import CheckpointError, RunError, StethoError, UsageError
    from stetho.feeding import DataReport, data
    from stetho.inspect.visiting import visit
    from stetho.inspecting import graph, summary
    from stetho.interacting import shell
    from stetho.pretty import pretty_tensors
    from stetho.store.reader import Run, open_run
    from stetho.timing import Profiling, profile
    from stetho.tracing import Trace, trace
    from stetho.watching import Watch, add_callback, log, watch

__version__ = "0.1.0"

_HOME = {
    "Callback": "stetho.callbacks",
    "Checkpoint": "stetho.checkpoints.contents",
    "CheckpointError": "stetho.errors",
    "DataReport": "stetho.feeding",
    "Profiling": "stetho.timing",
    "Run": "stetho.store.reader",
    "RunError": "stetho.errors",
    "StethoError": "stetho.errors",
    "UsageError": "stetho.errors",
    "Trace": "stetho.tracing",
    "Watch": "stetho.watching",
    "add_callback": "stetho.watching",
    "assert_finite": "stetho.assertions",
    "assert_shape": "stetho.assertions",
    "check_checkpoint": "stetho.checkpoints.checking",
    "compare": "stetho.comparing.kinds",
    "data": "stetho.feeding",
    "diff_checkpoints": "stetho.checkpoints.diffing",
    "equivalent": "stetho.equivalence.battery",
    "graph": "stetho.inspecting",
    "log": "stetho.watching",
    "measure_checkpoint": "stetho.checkpoints.measuring",
    "open_checkpoint": "stetho.checkpoints.opening",
    "open_run": "stetho.store.reader",
    "port": "stetho.comparing.porting.port",
    "pretty_tensors": "stetho.pretty",
    "profile": "stetho.timing",
    "shell": "stetho.interacting",
    "summary": "stetho.inspecting",
    "trace": "stetho.tracing",
    "visit": "stetho.inspect.visiting",
    "watch": "stetho.watching",
}

__all__ = [
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


def __getattr__(name: str) -> object:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module `stetho` has no attribute `{name}`")
    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return __all__
