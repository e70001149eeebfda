"""What it costs to look at a model once: `stetho.summary` and `stetho.graph` next to torchinfo, torchview, torchlens.

    python -m bench.inspecting            prints the figures
    python -m bench.inspecting --json     prints them as one JSON object

Every tool looks at the same model with the same input in training mode, each in turn, round after round. A figure is
the median over the rounds of its CPU time over that of a plain forward pass in the same round. A tool that takes more
than `PATIENCE` times a forward pass is left out after its first round; that round is its figure then. stetho.graph is
the whole graph before its layout; torchview's and torchlens' are the same.
"""

# mypy: allow-untyped-calls

import argparse
import gc
import json
import time
import warnings
from collections.abc import Callable
from statistics import median

import torch
from torch import Tensor, nn

from bench.workloads import Gpt, ResidualBlock

ROUNDS = 9
PATIENCE = 20

Look = Callable[[nn.Module, Tensor], object]


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


TOOLS: dict[str, Look] = {tool.__name__: tool for tool in (summary, torchinfo, graph, torchview, torchlens)}


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


def ratios(name: str) -> dict[str, float]:
    """What each tool takes over a forward pass, and the milliseconds of that."""
    model, inputs = MODELS[name]()
    forward(model, inputs)
    plain: list[float] = []
    over: dict[str, list[float]] = {tool: [] for tool in TOOLS}
    patient = [tool for tool, look in TOOLS.items() if look(model, inputs) is not None]
    for _ in range(ROUNDS):
        plain.append(cpu_seconds(forward, model, inputs))
        for tool in tuple(patient):
            over[tool].append(cpu_seconds(TOOLS[tool], model, inputs) / plain[-1])
            if over[tool][-1] > PATIENCE:
                patient.remove(tool)
    return {f"{name}_forward_ms": median(plain) * 1000} | {f"{name}_{tool}": median(over[tool]) for tool in TOOLS}


def measure() -> dict[str, float]:
    """All figures: those of each model, and what ours take over the fastest of the others."""
    found = {name: value for model in MODELS for name, value in ratios(model).items()}
    for model in MODELS:
        found[f"{model}_summary_lead"] = found[f"{model}_summary"] / found[f"{model}_torchinfo"]
        found[f"{model}_graph_lead"] = found[f"{model}_graph"] / min(
            found[f"{model}_torchview"], found[f"{model}_torchlens"]
        )
    return found


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
