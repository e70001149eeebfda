"""What it costs to look at a model once: `stetho.summary` and `stetho.graph` next to torchinfo, torchview, torchlens.

    python -m bench.inspecting            prints the figures
    python -m bench.inspecting --json     prints them as one JSON object

Every tool looks at the same model with the same input in training mode, round after round, in another order each
time: who comes after a plain forward pass finds its memory given back, and has to ask for it again. A figure is the
median over the rounds of its CPU time over that of a plain forward pass in the same round. torchlens comes last, in
rounds of its own: it leaves torch's functions wrapped, which slows everybody down, torchview by hundreds of times.
stetho.graph is the whole graph before its layout; torchview's and torchlens' are the same.
"""

# mypy: allow-untyped-calls

import argparse
import gc
import json
import time
import warnings
from operator import truediv
from random import Random
from statistics import median
from typing import Protocol

import torch
from torch import Tensor, nn

from bench.workloads import Gpt, ResidualBlock

ROUNDS = 15
ROUNDS_OF_THE_LAST = 3


class Look(Protocol):
    __name__: str

    def __call__(self, model: nn.Module, inputs: Tensor, /) -> object: ...


def forward(model: nn.Module, inputs: Tensor) -> object:
    return model(inputs)


def summary(model: nn.Module, inputs: Tensor) -> object:
    import stetho

    return str(stetho.summary(model, inputs))


def graph(model: nn.Module, inputs: Tensor) -> object:
    import stetho

    return stetho.graph(model, inputs)


def torchinfo(model: nn.Module, inputs: Tensor) -> object:
    import torchinfo as package

    return str(package.summary(model, input_data=inputs, verbose=0, mode="train"))


def torchview(model: nn.Module, inputs: Tensor) -> object:
    import torchview as package

    return package.draw_graph(model, input_data=inputs, mode="train")


def torchlens(model: nn.Module, inputs: Tensor) -> object:
    import torchlens as package

    return package.trace(model, inputs)


def resnet18() -> tuple[nn.Module, Tensor]:
    """The usual one, for a picture of 224 × 224."""
    layers: list[nn.Module] = [nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU(inplace=True)]
    layers += [nn.MaxPool2d(3, 2, 1)]
    inputs = 64
    for outputs, stride in ((64, 1), (64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2), (512, 1)):
        layers.append(ResidualBlock(inputs, outputs, stride, inplace=True))
        inputs = outputs
    layers += [nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(512, 1000)]
    return nn.Sequential(*layers), torch.randn(1, 3, 224, 224)


def gpt() -> tuple[nn.Module, Tensor]:
    """The one of the other measurements."""
    return Gpt(width=256, depth=4, length=128, vocabulary=512), torch.randint(512, (8, 128))


def transformer48() -> tuple[nn.Module, Tensor]:
    """48 layers of torch's own encoder."""
    layer = nn.TransformerEncoderLayer(512, 8, 2048, batch_first=True, dropout=0.0)
    return nn.TransformerEncoder(layer, 48, enable_nested_tensor=False), torch.randn(4, 64, 512)


MODELS = {"resnet18": resnet18, "gpt": gpt, "transformer48": transformer48}


def cpu_seconds(look: Look, model: nn.Module, inputs: Tensor) -> float:
    gc.collect()
    started = time.thread_time()
    look(model, inputs)
    return time.thread_time() - started


def ratios(name: str, tools: tuple[Look, ...], rounds: int) -> dict[str, float]:
    """What each tool takes over a forward pass, and the milliseconds of that."""
    model, inputs = MODELS[name]()
    spent: dict[str, list[float]] = {}
    order: list[Look] = [forward, *tools]
    for look in order:
        look(model, inputs)
    shuffled = Random(0)
    for _ in range(rounds):
        shuffled.shuffle(order)
        for look in order:
            spent.setdefault(look.__name__, []).append(cpu_seconds(look, model, inputs))
    plain = spent.pop("forward")
    over = {tool: median(map(truediv, times, plain)) for tool, times in spent.items()}
    return {"forward_ms": median(plain) * 1000} | over


def measure() -> dict[str, float]:
    """All figures: those of each model, and what ours take over the fastest of the others."""
    by_model = {name: ratios(name, (summary, torchinfo, graph, torchview), ROUNDS) for name in MODELS}
    for name, found in by_model.items():
        found["torchlens"] = ratios(name, (torchlens,), ROUNDS_OF_THE_LAST)["torchlens"]
        found["summary_lead"] = found["summary"] / found["torchinfo"]
        found["graph_lead"] = found["graph"] / min(found["torchview"], found["torchlens"])
    return {f"{model}_{name}": value for model, found in by_model.items() for name, value in found.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    found = measure()
    print(json.dumps(found) if options.json else "\n".join(f"{name}: {value:.2f}" for name, value in found.items()))


if __name__ == "__main__":
    main()
