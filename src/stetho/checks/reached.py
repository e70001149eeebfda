"""Which parameters the losses of a run depend on."""

from stetho.checks.facts import Parameter
from stetho.checks.window import Window


def reached_names(window: Window) -> set[str]:
    """The names of the parameters at the ends of the graphs; several models may have parameters of one name."""
    return {name for graph in window.loss_graphs for name in graph.reached}


def is_reached(window: Window, parameter: Parameter, names: set[str]) -> bool:
    """Whether a loss depends on a parameter, and not only on one of another model that has its name."""
    return parameter.name in names and not _is_namesake(window, parameter)


def _is_namesake(window: Window, parameter: Parameter) -> bool:
    """Whether it only has the name of a parameter of another model.

    Of one in an optimizer updates were looked at and gradients never came; a copy that nobody trains, as an average of
    the weights, is never called in training.
    """
    if not any(p.name == parameter.name and p.model != parameter.model for p in window.parameters):
        return False
    if parameter.optimizer is None:
        return not window.batches("train", parameter.model).count
    update = window.parameter_stat("update.absmax", parameter)
    return update is not None and window.parameter_stat("grad.rms", parameter) is None
