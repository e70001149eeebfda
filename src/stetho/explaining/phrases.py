"""Turns of phrase that the explanations share: facts about tensors and layers, names of types, sizes."""

import math
import re
from collections.abc import Iterable

from stetho.explaining.scene import Explanation, Operand, Scene

Facts = tuple[tuple[str, str], ...]

_TYPES = {
    "Float": "float32",
    "float": "float32",
    "Double": "float64",
    "double": "float64",
    "Half": "float16",
    "c10::Half": "float16",
    "BFloat16": "bfloat16",
    "c10::BFloat16": "bfloat16",
    "Long": "int64",
    "long int": "int64",
    "long long": "int64",
    "Int": "int32",
    "int": "int32",
    "Short": "int16",
    "Byte": "uint8",
    "unsigned char": "uint8",
    "Char": "int8",
    "Bool": "bool",
    "bool": "bool",
}

_CASTS = {
    "float32": ".float()",
    "float64": ".double()",
    "float16": ".half()",
    "bfloat16": ".bfloat16()",
    "int64": ".long()",
    "bool": ".bool()",
}


def dtype_of(word: str) -> str:
    """The name of a type as programs write it, from the word that a message uses.

    >>> dtype_of("Double"), dtype_of("torch.cuda.FloatTensor"), dtype_of("torch.float16")
    ('float64', 'float32', 'float16')
    """
    plain = word.strip().removesuffix("Tensor").rpartition("torch.")[2].rpartition("cuda.")[2]
    return _TYPES.get(plain, plain)


def cast(dtype: str) -> str:
    """The call that turns a tensor into this type.

    >>> cast("int64"), cast("int16")
    ('.long()', '.to(torch.int16)')
    """
    return _CASTS.get(dtype, f".to(torch.{dtype})")


def sizes(text: str) -> tuple[int, ...]:
    """The numbers in a shape, however a message writes it.

    >>> sizes("torch.Size([4, 1])"), sizes("896x28")
    ((4, 1), (896, 28))
    """
    return tuple(map(int, re.findall(r"-?\d+", text)))


def product(shape: Iterable[int]) -> int:
    """How many elements a shape has.

    >>> product([16, 5, 5])
    400
    """
    return math.prod(shape)


def tensor_facts(*tensors: Operand | None) -> Facts:
    """A line for each tensor, and one for where it was made.

    >>> tensor_facts(Operand("x", (2, 3), text="float32[2, 3] cpu"))
    (('x', 'float32[2, 3] cpu'),)
    """
    facts: list[tuple[str, str]] = []
    for tensor in dict.fromkeys(tensors):
        if tensor is not None:
            facts.append((tensor.name, tensor.text or f"{tensor.dtype}{list(tensor.shape)} {tensor.device}"))
            facts += [("made at", str(tensor.made))] if tensor.made is not None else []
    return tuple(facts)


def layer_facts(scene: Scene) -> Facts:
    """Where the layer was built, and which one comes before it."""
    layer = scene.layer
    if layer is None:
        return ()
    facts = [("built at", str(layer.built))] if layer.built is not None else []
    return (*facts, *([("comes after", layer.after)] if layer.after else []))


def all_facts(scene: Scene) -> Facts:
    """All tensors at the place of the error, and the layer."""
    return tensor_facts(*scene.tensors) + layer_facts(scene)


def explained(scene: Scene, title: str, *fits: str) -> Explanation:
    """An explanation with all facts that the scene has."""
    return Explanation(title, all_facts(scene), tuple(fit for fit in fits if fit))


def name_of(tensor: Operand | None, otherwise: str) -> str:
    """The name of a tensor as it stands in code.

    >>> name_of(Operand("x", ()), "input"), name_of(None, "input")
    ('x', 'input')
    """
    return tensor.name if tensor is not None else otherwise


def named(tensor: Operand | None, otherwise: str = "the tensor") -> str:
    """The name of a tensor, in the quotes that code has.

    >>> named(Operand("x", ())), named(None)
    ('`x`', 'the tensor')
    """
    return f"`{tensor.name}`" if tensor is not None else otherwise
