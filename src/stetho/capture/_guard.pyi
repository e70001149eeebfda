"""The guard around functions of ours."""

from collections.abc import Callable
from typing import Generic, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

class State:
    alive: bool
    asleep: bool
    seconds: float
    entered: float | None
    clock: Callable[[], float]
    worked: float
    processor: Callable[[], float] | None
    listeners: tuple[Callable[[], object], ...] | None
    apart: Callable[..., object]
    def so_far(self) -> float: ...

class Guarded(Generic[P, R]):
    def __new__(
        cls, state: State, point: str, function: Callable[P, R], naps: bool, let_through: type[BaseException], /
    ) -> Guarded[P, R]: ...
    @property
    def __wrapped__(self) -> Callable[P, R]: ...
    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R | None: ...

def fault_at(point: str | None, /) -> None: ...
