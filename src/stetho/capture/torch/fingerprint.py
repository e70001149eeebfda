"""Writes down what a training program computed, step by step, as hashes: equal lines mean equal training, bit by bit.

It stands apart from everything that watches, so that it can judge it: a bare and a watched process carry the same
harness. A folder with a `sitecustomize.py` on PYTHONPATH brings it into a process that is otherwise plain python, and
nothing is imported before the program imports torch itself. Each line holds, after an optimizer step, the hash of the
parameters that the optimizer holds, the losses since the line before, the hashes of the random states, and the seconds
without the harness. Until an optimizer has stepped, every backward pass writes a line too, with the parameters found in
the graph of the loss.
"""

import atexit
import ctypes
import hashlib
import json
import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from time import perf_counter
from types import ModuleType
from typing import Any

from stetho.capture.on_import import when_imported
from stetho.records import StepsReached

FILE_VARIABLE = "STETHO_FINGERPRINT"
STEPS_VARIABLE = "STETHO_FINGERPRINT_STEPS"
DETERMINISTIC_VARIABLE = "STETHO_FINGERPRINT_DETERMINISTIC"

_SITE = """import importlib.machinery
import importlib.util
import os
import sys

from stetho.capture.torch.fingerprint import install

install()
# A module of the same name that this one hides still gets its turn.
sys.path[:] = [entry for entry in sys.path if entry != os.path.dirname(__file__)]
spec = importlib.machinery.PathFinder.find_spec("sitecustomize")
if spec is not None:
    sys.modules["sitecustomize"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sys.modules["sitecustomize"])
"""


def environment(folder: Path, file: Path, *, steps: int | None = None, deterministic: bool = False) -> dict[str, str]:
    """The variables that make python write a fingerprint to `file`; what brings the harness in is put into `folder`.

    The program ends after so many `steps`; `deterministic` seeds it, the bare one like the watched one.
    """
    (folder / "sitecustomize.py").write_text(_SITE, encoding="utf-8")
    paths = [str(folder), *filter(None, [os.environ.get("PYTHONPATH")])]
    variables = {"PYTHONPATH": os.pathsep.join(paths), FILE_VARIABLE: str(file)}
    if steps is not None:
        variables[STEPS_VARIABLE] = str(steps)
    if deterministic:
        variables |= {DETERMINISTIC_VARIABLE: "1", "PYTHONHASHSEED": "0"}
    return variables


def install() -> None:
    """Wait for the program to import torch, then write to the file that the environment names, one for each rank."""
    name = os.environ.get(FILE_VARIABLE)
    if not name:
        return
    rank = os.environ.get("RANK")
    file = Path(f"{name}.rank{rank}" if rank else name)
    steps = os.environ.get(STEPS_VARIABLE)
    when_imported("torch", lambda torch: _begin(torch, file, int(steps) if steps else None))


def _begin(torch: ModuleType, file: Path, steps: int | None) -> None:
    try:
        descriptor = os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_APPEND)
    except FileExistsError:
        return  # a process that the program started: the file belongs to the program
    if DETERMINISTIC_VARIABLE in os.environ:
        from stetho.capture.torch.deterministic import make_deterministic

        make_deterministic()
    harness = Harness(torch, descriptor, steps)
    harness.attach()
    atexit.register(harness.end)


class Harness:
    """Hears of every backward pass and optimizer step of this process, and writes a line for each step."""

    def __init__(self, torch: Any, descriptor: int, steps: int | None = None) -> None:
        self._torch = torch
        self._descriptor = descriptor
        self._limit = steps
        self._pid = os.getpid()
        self._steps = 0
        self._losses: list[str] = []
        self._parameters: dict[int, Any] = {}
        self._own_seconds = 0.0
        self._resumed = perf_counter()

    def attach(self) -> None:
        """Register with torch. `Tensor.backward` calls `torch.autograd.backward`, so one replacement hears both."""
        from torch.optim.optimizer import register_optimizer_step_post_hook

        backward = self._torch.autograd.backward

        def heard(*args: Any, **kwargs: Any) -> None:
            if os.getpid() == self._pid:
                self._before_backward(args[0] if args else kwargs["tensors"])
            backward(*args, **kwargs)

        self._torch.autograd.backward = heard
        register_optimizer_step_post_hook(lambda optimizer, _args, _kwargs: self._after_step(optimizer))

    def end(self) -> None:
        """Write the last line: what parameters and random states are when the program is over."""
        if os.getpid() == self._pid:
            self._write("end", self._parameters.values(), perf_counter())

    def _before_backward(self, tensors: Any) -> None:
        began = perf_counter()
        roots = [tensors] if isinstance(tensors, self._torch.Tensor) else list(tensors)
        self._losses += [self._bits(root) for root in roots]
        if self._steps:
            self._own_seconds += perf_counter() - began
            return
        leaves = list(leaves_of(roots))
        self._remember(leaves)
        self._write("backward", leaves, began)

    def _after_step(self, optimizer: Any) -> None:
        if os.getpid() != self._pid:
            return
        began = perf_counter()
        self._steps += 1
        parameters = [parameter for group in optimizer.param_groups for parameter in group["params"]]
        self._remember(parameters)
        self._write("step", parameters, began)
        if self._limit is not None and self._steps >= self._limit:
            raise StepsReached

    def _remember(self, parameters: Iterable[Any]) -> None:
        self._parameters.update((id(parameter), parameter) for parameter in parameters)

    def _write(self, event: str, parameters: Iterable[Any], began: float) -> None:
        line = {
            "event": event,
            "step": self._steps,
            "parameters": self._hash(parameters),
            "losses": self._losses,
            "random": random_states(self._torch),
            "seconds": began - self._resumed - self._own_seconds,
        }
        os.write(self._descriptor, (json.dumps(line) + "\n").encode())
        self._losses = []
        self._own_seconds = 0.0
        self._resumed = perf_counter()

    def _hash(self, tensors: Iterable[Any]) -> str:
        digest = hashlib.sha256()
        with self._torch.no_grad():
            for tensor in tensors:
                digest.update(content(tensor))
        return digest.hexdigest()

    def _bits(self, tensor: Any) -> str:
        return content(tensor).hex() if tensor.numel() == 1 else self._hash([tensor])


def content(tensor: Any) -> bytes:
    """The bytes of a tensor's values, without numpy."""
    plain = tensor.detach()
    plain = (plain.to_dense() if plain.is_sparse else plain).cpu().contiguous()
    return ctypes.string_at(plain.data_ptr(), plain.numel() * plain.element_size())


def leaves_of(roots: Iterable[Any]) -> Iterable[Any]:
    """The tensors that gradients of these roots accumulate into, each once, in the order of the graph."""
    waiting = [root.grad_fn for root in roots if root.grad_fn is not None]
    seen = set()
    while waiting:
        node = waiting.pop()
        if node in seen:
            continue
        seen.add(node)
        if hasattr(node, "variable"):
            yield node.variable
        waiting.extend(following for following, _ in node.next_functions if following is not None)


def random_states(torch: Any) -> Mapping[str, str | int]:
    """A hash for each random generator that the process has loaded, with the place in its stream where there is one.

    Generators that nobody seeded differ from process to process; how far they were read must not.
    """
    digest = hashlib.sha256(content(torch.get_rng_state()))
    if torch.cuda.is_initialized():
        for state in torch.cuda.get_rng_state_all():
            digest.update(content(state))
    states: dict[str, str | int] = {"torch": digest.hexdigest()}
    if "random" in sys.modules:
        _, words, gauss = sys.modules["random"].getstate()
        states["python"] = hashlib.sha256(repr((words, gauss)).encode()).hexdigest()
        states["python position"] = words[-1]
    if "numpy.random.mtrand" in sys.modules:
        _, keys, position, *gauss = sys.modules["numpy"].random.get_state()
        states["numpy"] = hashlib.sha256(keys.tobytes() + repr((position, gauss)).encode()).hexdigest()
        states["numpy position"] = int(position)
    return states
