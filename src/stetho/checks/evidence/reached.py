"""Which parameters the losses of a run depend on."""

from stetho.checks.run.facts import Parameter
from stetho.checks.window import Window


def reached_names(window: Window) -> set[str]:
    """The names of the parameters at the ends of the graphs."""
    return {name for graph in window.loss_graphs for name in graph.reached}


def is_reached(parameter: Parameter, names: set[str]) -> bool:
    """Whether a loss depends on a parameter.

    Several may have one name: those of two models, and those that stand in for others while a module is called. So it
    counts which of them was met; in older runs only the name is known.
    """
    return parameter.name in names if parameter.reached is None else parameter.reached


def holder_alone_is_reached(window: Window, parameter: Parameter, names: set[str]) -> bool:
    """Whether a loss depends on no layer of a model, but on parameters of a module that holds this one.

    They are used without a layer, as learnt prototypes are: no layer takes what comes behind a cut.
    """
    ends = [p.layer for p in window.parameters if p.model == parameter.model and is_reached(p, names)]
    return bool(ends) and all(_holds(end, parameter.layer) for end in ends)


def _holds(name: str, inner: str) -> bool:
    return name != inner and (not name or inner.startswith(f"{name}."))
