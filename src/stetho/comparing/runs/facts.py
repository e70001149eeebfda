"""What two runs say of themselves: environment, configuration, hyperparameters, and where that is not the same."""

import shlex
from collections.abc import Iterator, Sequence

from stetho.comparing.runs.fact import MISSING, Fact, text_of, unlike
from stetho.comparing.runs.hyperparameters import differing_hyperparameters
from stetho.comparing.runs.matching import Matching, Name
from stetho.comparing.runs.recorded import Recorded

ROUNDING_DEPENDS_ON = ("torch", "cpu", "system", "threads", "devices", "compiled", "deterministic", "dtype", "variant")
"""Facts without which the same computation need not give the same bits."""
OPTIONS_THAT_MATTER = ("deterministic", "eager", "startup", "variant")
NOT_OF_THE_MACHINE = ("host", "memory", "cores")


def differing_facts(one: Recorded, other: Recorded, matching: Matching) -> list[Fact]:
    """Everything that is not the same, area by area."""
    facts = [
        *_environment(one, other),
        *_commands(one, other),
        *_layers(one, other, matching),
        *_parameters(one, other, matching),
        *differing_hyperparameters(one, other),
    ]
    # What is said of many parameters in the same words is said once.
    return list({(fact.area, str(fact)): fact for fact in reversed(facts)}.values())[::-1]


def is_same_machine(facts: Sequence[Fact]) -> bool:
    """Whether the same computation has to give the same bits in both runs."""
    return not any(fact.name in ROUNDING_DEPENDS_ON for fact in facts)


def _environment(one: Recorded, other: Recorded) -> Iterator[Fact]:
    mine, theirs = one.run.info, other.run.info
    for key in ("python", "world_size"):
        yield from unlike("environment", {key: mine.get(key)}, {key: theirs.get(key)})
    for key in ("versions", "machine"):
        first, second = (
            {name: value for name, value in (info.get(key) or {}).items() if name not in NOT_OF_THE_MACHINE}
            for info in (mine, theirs)
        )
        yield from unlike("environment", first, second)
    first, second = ({"git commit": str((info.get("git") or {}).get("commit"))[:12]} for info in (mine, theirs))
    yield from unlike("environment", first, second)


def _commands(one: Recorded, other: Recorded) -> Iterator[Fact]:
    mine, theirs = ({"command": shlex.join(side.run.info.get("command", []))} for side in (one, other))
    yield from unlike("configuration", mine, theirs)
    options = [side.run.info.get("options", {}) for side in (one, other)]
    for key in OPTIONS_THAT_MATTER:
        yield from unlike("configuration", {key: options[0].get(key)}, {key: options[1].get(key)})
    for first, second in zip(one.models, other.models, strict=False):
        mine, theirs = ({"compiled": str(model.get("compiled"))} for model in (first, second))
        yield from unlike("configuration", mine, theirs)


def _layers(one: Recorded, other: Recorded, matching: Matching) -> Iterator[Fact]:
    for their_name, name in matching.layers.items():
        mine, theirs = one.layers[name], other.layers[their_name]
        where = (mine.get("constructed"), theirs.get("constructed"))
        for key in ("class", "settings", "training"):
            if mine.get(key) != theirs.get(key):
                first, second = text_of(mine.get(key)), text_of(theirs.get(key))
                if key == "settings":
                    first, second = _not_in(second, first), _not_in(first, second)
                label = f"`{name[1] or mine.get('class')}` {key}"
                yield Fact("configuration", label, first, second, where, layer=name[1])
    for name in matching.only_one:
        yield _lonely(one, name, "there", MISSING, (one.layers[name].get("constructed"), None))
    for name in matching.only_other:
        yield _lonely(other, name, MISSING, "there", (None, other.layers[name].get("constructed")))


def _lonely(side: Recorded, name: Name, first: str, second: str, where: tuple[str | None, str | None]) -> Fact:
    kind = side.layers[name].get("class")
    return Fact("configuration", f"layer `{name[1]}` {kind}", first, second, where, layer=name[1])


def _not_in(known: str, settings: str) -> str:
    """The settings that the other list of settings does not have."""
    return ", ".join(word for word in settings.split(", ") if word not in known.split(", ")) or MISSING


def _parameters(one: Recorded, other: Recorded, matching: Matching) -> Iterator[Fact]:
    for their_name, name in matching.parameters.items():
        mine, theirs = one.parameters[name], other.parameters[their_name]
        where = one.layer_of(*name).get("constructed"), other.layer_of(*their_name).get("constructed")
        layer = name[1].rpartition(".")[0]
        for key in ("shape", "dtype", "trainable"):
            if mine.get(key) != theirs.get(key):
                label = "dtype" if key == "dtype" else f"`{name[1]}` {key}"
                first, second = text_of(mine.get(key)), text_of(theirs.get(key))
                yield Fact("configuration", label, first, second, where, layer=layer)
        first, second = (text_of(facts.get("shared_with") or None) for facts in (mine, theirs))
        if first != second and bool(mine.get("shared_with")) != bool(theirs.get("shared_with")):
            yield Fact("configuration", f"`{name[1]}` shared with", first, second, where, layer=layer)
        first, second = ("no" if facts.get("optimizer") is None else "yes" for facts in (mine, theirs))
        if first != second:
            yield Fact("configuration", f"`{name[1]}` in the optimizer", first, second, where, layer=layer)
