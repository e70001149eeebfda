"""Reads what an autopsy left in the run, and puts it into words."""

from collections.abc import Iterator, Mapping
from typing import Any

from stetho.checks.window import Window
from stetho.findings.finding import Finding, Severity, Where

SAMPLES_SHOWN = 8
LINKS_SHOWN = 6

Fault = Mapping[str, Any]


def faults(window: Window) -> list[Fault]:
    """What the autopsies of a training found, in the order of time."""
    return [fault for fault in _all(window) if fault.get("trigger") != "evaluation"]


def faults_of_evaluations(window: Window) -> list[Fault]:
    """What was found where nothing is learnt, and training has had no fault before it."""
    return [fault for fault in _all(window) if fault.get("trigger") == "evaluation"]


def _all(window: Window) -> list[Fault]:
    return list(window.probes.get("autopsy", {}).get("faults", []))


def is_known(fault: Fault) -> bool:
    """Whether the birth place was found."""
    return bool(fault.get("phase", "unknown") != "unknown")


def is_harm(fault: Fault) -> bool:
    """Whether the value reached the loss or an update.

    >>> is_harm({"trigger": "loss"}), is_harm({"trigger": "hidden"})
    (True, False)
    """
    return fault.get("trigger") not in ("hidden", "skipped")


def is_in_input(fault: Fault) -> bool:
    """Whether the value came into the model from outside, and into the loss from there.

    >>> is_in_input({"phase": "data", "origin": "input 0", "trigger": "loss"})
    True
    """
    return is_harm(fault) and fault.get("phase") == "data" and str(fault.get("origin", "")).startswith("input")


def finding_of(window: Window, fault: Fault, confidence: float) -> Finding:
    """A fault as a finding of the check that is looking."""
    step = int(fault.get("step", 0))
    return window.finding(
        sentence(fault),
        where=place(fault),
        steps=(step, step, 1),
        severity=_severity(fault),
        confidence=confidence - (0.0 if fault.get("faithful", True) else 0.1),
        try_next=advice(fault),
        **evidence(fault),
    )


def _severity(fault: Fault) -> Severity | None:
    """None where it is that of the check: what the loss does not feel as yet is less."""
    if not is_harm(fault):
        return "note"
    is_less = fault.get("trigger") == "parameter" or fault.get("victim") in ("value", "output")
    return "warning" if is_less else None


def why_unknown(fault: Fault) -> str:
    """Why the birth place was not found."""
    return str(fault.get("failed") or "it came out finite")


def unexplained(window: Window, fault: Fault) -> Finding:
    """A gradient that is not finite, and was used, though nobody knows where it began."""
    step = int(fault.get("step", 0))
    return window.finding(
        f"the gradient is {fault.get('value', 'nan')} in step {step}, and the parameters were changed by it; where it "
        f"began is not known: {_why_unexplained(fault)}",
        where=window.line("backward"),
        steps=(step, step, 1),
        confidence=0.9,
        try_next=f"Look at every operation of that step: stetho trace --from-step {step} train.py",
    )


def _why_unexplained(fault: Fault) -> str:
    if fault.get("failed"):
        return f"the step could not be run again ({fault['failed']})"
    return "run again, the step came out finite"


def sentence(fault: Fault) -> str:
    """What happened, with its value: the title of a finding.

    >>> fault = {"phase": "loss", "expression": "log(0)", "result": "-inf", "index": [3, 7], "step": 12}
    >>> sentence(fault | {"trigger": "loss"})
    'log(0) = -inf at [3, 7] makes the loss NaN or infinite in step 12'
    """
    is_bare = fault.get("trigger") is None
    harm = "is where it began" if is_bare else f"makes {_victim(fault)}"
    phase, name = fault.get("phase"), fault.get("name", "")
    if phase == "data":
        return f"the {_origin(fault)} has {fault.get('result', 'nan')}{_at(fault)}, which {harm}"
    if phase == "outside":
        return _from_outside(fault)
    if phase == "buffer":
        return f"buffer {name} is not finite, which {harm}"
    if fault.get("trigger") == "evaluation" and phase in ("initial", "parameter", "optimizer", "changed parameter"):
        return f"parameter {name} is {fault.get('result', 'nan')}{_at(fault)}, which {harm}"
    if phase == "initial":
        felt = f", which {harm}" if fault.get("trigger") != "parameter" else "; the loss is finite so far"
        return f"parameter {name} is not finite before the first update{felt}"
    if phase == "parameter":
        return (
            f"parameter {name} is {fault.get('result', 'nan')}{_at(fault)} in step {fault.get('step', '?')}; "
            f"the steps from {fault.get('since', 1)} on were not looked at closely"
        )
    if phase == "optimizer":
        unfelt = "; the loss is finite so far" if fault.get("trigger") == "parameter" else ""
        return f"{fault.get('expression', 'the update')} makes {name} {fault.get('result', 'nan')}{_at(fault)}{unfelt}"
    if phase == "changed gradient":
        return (
            f"the gradient of {name} is {fault.get('result', 'nan')}{_at(fault)} before the update of step "
            f"{fault.get('step', '?')}, though the backward pass gave finite ones: the program changed it in between"
        )
    if phase == "changed parameter":
        return (
            f"parameter {name} is {fault.get('result', 'nan')}{_at(fault)} in step {fault.get('step', '?')}, and no "
            "update made it so: the program wrote that to it"
        )
    if phase == "loss gradient":
        return f"the gradient of the loss is not finite at the output of the model in step {fault.get('step', '?')}"
    return f"{fault.get('expression', '')}{_result(fault)}{_at(fault)} {harm}"


def place(fault: Fault) -> Where:
    """The line, and the layer or parameter."""
    is_parameter = fault.get("phase") in ("optimizer", "initial", "parameter", "changed gradient", "changed parameter")
    layer = None if is_parameter else fault.get("layer")
    return Where.at_line(fault.get("line"), layer=layer, parameter=fault.get("name") if is_parameter else None)


def advice(fault: Fault) -> str:
    """What would have prevented it; empty where the check's own advice must do."""
    prevention = str(fault.get("prevention") or "")
    if not prevention and fault.get("phase") == "parameter":
        prevention = f"look at every operation from there on: stetho trace --from-step {fault.get('since', 1)} train.py"
    if not prevention and fault.get("phase") == "changed gradient":
        prevention = (
            "look at what gradients are divided by, which may be 0; clip_grad_norm_ adds a small constant to it"
        )
    if not prevention and fault.get("phase") == "changed parameter":
        prevention = "look at what parameters are divided by, which may be 0, or copied from"
    is_input = str(fault.get("origin") or "").startswith("input")
    if not prevention and (fault.get("phase") == "data" or is_input):
        is_constant = not is_input and fault.get("layer")
        prevention = (
            "look at how it was made" if is_constant else "look at these samples, and at how they were prepared"
        )
    if not prevention and fault.get("phase") == "buffer":
        prevention = "look at what writes to this buffer: a batch that was not finite, or the file it was loaded from"
    return prevention[:1].upper() + prevention[1:] + ("." if prevention else "")


def evidence(fault: Fault) -> dict[str, str | float]:
    """Why, from which inputs, on which samples, and the way to the loss."""
    found: dict[str, str | float] = {}
    if fault.get("why"):
        found["because"] = str(fault["why"])
    inputs = [" ".join(_input(each)) for each in fault.get("inputs", [])]
    if inputs:
        found["inputs"] = "; ".join(inputs)
    samples = list(fault.get("samples") or [])
    if samples:
        more = ", …" if len(samples) > SAMPLES_SHOWN else ""
        of = f" of {fault['batch_size']}" if fault.get("batch_size") else ""
        found["samples_of_the_batch"] = ", ".join(map(str, samples[:SAMPLES_SHOWN])) + more + of
    way = list(_links(fault))
    if way:
        found["way"] = " → ".join(way)
    if not fault.get("faithful", True) and fault.get("phase") != "parameter":
        found["replay"] = "not bit for bit the same as the first time"
    if fault.get("repeated"):
        found["called_again"] = f"{fault['repeated']}; the replay did so once more"
    return found


def _input(given: Mapping[str, Any]) -> list[str]:
    """An operand, by its name unless that is only the framework's word for the first."""
    name = str(given.get("name") or "")
    return [*([name] if name not in ("", "self", "input") else []), str(given.get("text"))]


def _links(fault: Fault) -> Iterator[str]:
    """The operations that handed the value on, those of one line together."""
    links = [str(link.get("operation")) for link in fault.get("chain", [])]
    if len(links) > LINKS_SHOWN:
        links = [*links[: LINKS_SHOWN // 2], "…", *links[-LINKS_SHOWN // 2 :]]
    yield from links
    if links and (fault.get("trigger") == "loss" or fault.get("victim") == "loss"):
        yield "loss"
    elif links and fault.get("trigger") == "gradient":
        yield "gradient of a parameter"


def _victim(fault: Fault) -> str:
    step = fault.get("step", "?")
    if fault.get("trigger") == "evaluation":
        when = f"the evaluation after step {step}" if step else "the evaluation before the first step"
        harmed = {"loss": f"the loss NaN or infinite in {when}", "output": f"the output of the model NaN in {when}"}
        return harmed.get(str(fault.get("victim")), f"a result NaN in {when}")
    if fault.get("trigger") in ("gradient", "skipped"):
        return f"the gradient NaN or infinite in step {step}"
    if fault.get("trigger") == "hidden":
        return f"the input of nan_to_num NaN in step {step}"
    return f"the loss NaN or infinite in step {step}"


def _origin(fault: Fault) -> str:
    if str(fault.get("origin", "")).startswith("input"):
        return "input of the model"
    # What a model takes from a variable around it comes without a name.
    return "target, or another value," if not fault.get("layer") else "tensor that the model takes from outside"


def _from_outside(fault: Fault) -> str:
    """A value that no operation of a trace has made."""
    origin = str(fault.get("origin") or "")
    bad = f"has {fault['result']}{_at(fault)}" if fault.get("result") else "is not finite"
    if origin.startswith("input"):
        return f"the input of the model {bad}: it came with the data"
    if origin.startswith(("parameter ", "buffer ")):
        return f"{origin} {bad} before the first operation: it was made in an earlier step"
    return f"a value from outside {bad}: no operation of the trace has made it"


def _result(fault: Fault) -> str:
    return f" = {fault['result']}" if fault.get("result") else ""


def _at(fault: Fault) -> str:
    index = fault.get("index")
    return f" at {list(index)}" if index else ""
