"""Checkpoints that do not fit the model, the optimizer, or the rules of loading."""

import re
from re import Match

from stetho.explaining.declare import explains
from stetho.explaining.phrases import explained
from stetho.explaining.scene import Explanation, Scene

_MOST = 3
_PART = re.compile(r"(?i)(ema_|best_|g_|d_)?(model|net|network|module|generator|encoder|params|weights|state)"
                   r"(_?(state|weights|params))?(_?dict)?")  # fmt: skip
"""How the weights are called in a file that also holds an epoch, an optimizer, a score."""


@explains(
    "state-dict",
    r"Error\(s\) in loading state_dict for (\w+)",
)
def state_dict(match: Match[str], scene: Scene) -> Explanation:
    """`Error(s) in loading state_dict for Net: Missing key(s) … Unexpected key(s) … size mismatch for …`."""
    message = scene.message
    missing, unexpected = _keys(message, "Missing"), _keys(message, "Unexpected")
    pattern = r"size mismatch for ([\w.]+): .*?Size\((\[.*?\])\) from checkpoint.*?Size\((\[.*?\])\)"
    sizes = re.findall(pattern, message)
    facts = [("missing", _few(missing))] if missing else []
    facts += [("unexpected", _few(unexpected))] if unexpected else []
    facts += [("size", f"`{name}` is {saved} in the file, {own} in the model") for name, saved, own in sizes[:_MOST]]
    counts = [(len(missing), "missing"), (len(unexpected), "unexpected"), (len(sizes), "of another size")]
    told = ", ".join(f"{count} {what}" for count, what in counts if count)
    title = f"the checkpoint does not fit {match[1]}: {told}"
    return Explanation(title, tuple(facts), tuple(_cures(missing, unexpected, [each[0] for each in sizes])))


def _cures(missing: list[str], unexpected: list[str], sizes: list[str]) -> list[str]:
    prefix = _common_prefix(missing, unexpected)
    if prefix is not None and prefix[0] == "saved":
        return [f"{{key.removeprefix('{prefix[1]}'): value for key, value in state.items()}}: all names begin with it"]
    if prefix is not None:
        return [f"{{'{prefix[1]}' + key: value for key, value in state.items()}}: the model's names begin with it"]
    part = next((name for name in unexpected if _PART.fullmatch(name)), None)
    if part is not None and missing and not any("." in name for name in unexpected):
        return [
            f"`['{part}']` of what was loaded: it is a checkpoint of several parts, and the weights are one of them"
        ]
    cures = []
    if sizes:
        cures.append(f"the same sizes in the model, or these left out of the file's names: {_few(sizes)}")
    if missing or unexpected:
        cures.append("strict=False, when the names that differ are meant to: what is missing keeps its fresh values")
    return cures


def _common_prefix(missing: list[str], unexpected: list[str]) -> tuple[str, str] | None:
    """The prefix that turns the names of one side into those of the other, and the side that has it."""
    for side, long, short in (("saved", unexpected, missing), ("model", missing, unexpected)):
        if long and short and long[0].endswith(short[0]) and long[0] != short[0]:
            prefix = long[0].removesuffix(short[0])
            if {each.removeprefix(prefix) for each in long} == set(short):
                return side, prefix
    return None


def _keys(message: str, kind: str) -> list[str]:
    found = re.search(rf"{kind} key\(s\) in state_dict: (.*?)\. *(?:\n|$)", message)
    return re.findall(r'"([^"]+)"', found[1]) if found else []


def _few(names: list[str]) -> str:
    more = f" and {len(names) - _MOST} more" if len(names) > _MOST else ""
    return ", ".join(f"`{name}`" for name in names[:_MOST]) + more


@explains(
    "optimizer-state",
    r"loaded state dict (?:contains a parameter group that doesn't match|has a different number of"
    r" parameter groups)",
)
def optimizer_group(_match: Match[str], scene: Scene) -> Explanation:
    """`loaded state dict contains a parameter group that doesn't match the size of optimizer's group`."""
    title = "the saved optimizer holds another number of parameters than this one"
    return explained(
        scene, title, "the same model, groups and frozen parameters as when it was saved", "a fresh optimizer"
    )


@explains(
    "unsafe-checkpoint",
    r"Weights only load failed",
)
def unsafe(_match: Match[str], scene: Scene) -> Explanation:
    """`Weights only load failed … Unsupported global: GLOBAL argparse.Namespace`."""
    found = re.search(r"(?:Unsupported global: GLOBAL|GLOBAL) ([\w.]+)", scene.message)
    what = f"holds {found[1]}, which" if found else "holds objects that"
    title = f"the file {what} is not plain data: reading it would run code from the file"
    allowed = f"torch.serialization.safe_globals([{found[1]}])" if found else "torch.serialization.safe_globals([…])"
    return explained(
        scene,
        title,
        "a file that holds a state_dict: torch.save(model.state_dict(), …)",
        f"with {allowed}: around torch.load, when you trust that class",
        "weights_only=False, only for a file of your own",
    )


@explains(
    "damaged-checkpoint",
    r"PytorchStreamReader failed",
)
def damaged(_match: Match[str], scene: Scene) -> Explanation:
    """`PytorchStreamReader failed reading zip archive`."""
    title = f"`{scene.code}`: the file is not a whole checkpoint; writing or copying it was cut short"
    return explained(
        scene, title, "an earlier checkpoint", "torch.save to another name, then os.replace: never half a file"
    )
