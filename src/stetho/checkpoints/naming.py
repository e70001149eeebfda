"""Names of tensors: their layers, and prefixes that one checkpoint has and another lacks."""

from collections import Counter
from collections.abc import Iterable


def layer_of(name: str) -> str:
    """The name without its last part.

    >>> layer_of("encoder.0.weight"), layer_of("layers/dense/kernel"), layer_of("bias")
    ('encoder.0', 'layers/dense', '')
    """
    cut = max(name.rfind("."), name.rfind("/"))
    return name[:cut] if cut > 0 else ""


def extra_prefix(names: Iterable[str], others: Iterable[str]) -> str:
    """The prefix that names have and the others lack: `module.` of a parallel model, `state_dict.` of a trainer.

    It is given only where more names meet without it than with it.

    >>> extra_prefix(["module.a.w", "module.b.w", "epoch"], ["a.w", "b.w"])
    'module.'
    >>> extra_prefix(["a.w"], ["a.w"])
    ''
    """
    own, known = list(names), set(others)
    candidates: Counter[str] = Counter()
    for name in own:
        for place in (at + 1 for at, sign in enumerate(name) if sign in "./"):
            if name[place:] in known:
                candidates[name[:place]] += 1
                break
    if not candidates:
        return ""
    prefix, count = max(candidates.items(), key=lambda item: (item[1], -len(item[0])))
    return prefix if count > sum(name in known for name in own) else ""
