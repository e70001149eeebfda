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
