"""The three training programs that everything is measured on, with generated data and a fixed seed.

    cnn   ResNet-18-like network on 32×32 images, batch 32, SGD with momentum (half width for quick runs: cnn-half)
    gpt   4-layer, 256-wide GPT, sequence 128, batch 8, vocabulary 512, AdamW
    mlp   784-128-64-10, batch 64, SGD with momentum

`WORKLOADS["mlp"]()` gives `(model, optimizer, step)`; `step()` does one optimizer update on the next of a few fixed
batches. The small ones (cnn-small, gpt-small) have the same structure at a size that a test can afford.
"""

# mypy: allow-untyped-calls

from collections.abc import Callable, Sequence
from functools import partial
from itertools import cycle, pairwise

import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torch.optim import SGD, AdamW, Optimizer

Step = Callable[[], None]
Workload = tuple[nn.Module, Optimizer, Step]
Batch = tuple[Tensor, Tensor]

BATCHES = 4


class ResidualBlock(nn.Module):
    """Two 3×3 convolutions beside a shortcut."""

    def __init__(self, inputs: int, outputs: int, stride: int, *, inplace: bool) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.norm1 = nn.BatchNorm2d(outputs)
        self.relu1 = nn.ReLU(inplace)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.norm2 = nn.BatchNorm2d(outputs)
        self.relu2 = nn.ReLU(inplace)
        self.shortcut = None
        if stride != 1 or inputs != outputs:
            self.shortcut = nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))

    def forward(self, x: Tensor) -> Tensor:
        beside = x if self.shortcut is None else self.shortcut(x)
        x = self.relu1(self.norm1(self.conv1(x)))
        return self.relu2(self.norm2(self.conv2(x)) + beside)  # type: ignore[no-any-return]


class ResNet(nn.Module):
    """ResNet-18 for 32×32 images: a 3×3 stem without pooling, then four stages of two blocks each."""

    def __init__(self, width: int = 64, classes: int = 10, *, inplace: bool = False) -> None:
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU(inplace))
        widths = [width, width, 2 * width, 4 * width, 8 * width]
        self.stages = nn.Sequential(
            *(
                nn.Sequential(
                    ResidualBlock(inputs, outputs, 1 if stage == 0 else 2, inplace=inplace),
                    ResidualBlock(outputs, outputs, 1, inplace=inplace),
                )
                for stage, (inputs, outputs) in enumerate(pairwise(widths))
            )
        )
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.head = nn.Linear(8 * width, classes)

    def forward(self, images: Tensor) -> Tensor:
        return self.head(self.pool(self.stages(self.stem(images))).flatten(1))  # type: ignore[no-any-return]


class GptBlock(nn.Module):
    """Pre-norm attention and feed-forward, each with a residual connection."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.norm1 = nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width)
        self.proj = nn.Linear(width, width)
        self.norm2 = nn.LayerNorm(width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x: Tensor) -> Tensor:
        batch, length, width = x.shape
        split = self.qkv(self.norm1(x)).view(batch, length, 3, self.heads, width // self.heads)
        query, key, value = split.permute(2, 0, 3, 1, 4)
        mixed = F.scaled_dot_product_attention(query, key, value, is_causal=True)
        x = x + self.proj(mixed.transpose(1, 2).reshape(batch, length, width))
        return x + self.mlp(self.norm2(x))  # type: ignore[no-any-return]


class Gpt(nn.Module):
    """A decoder-only language model with learned positions and an untied head."""

    def __init__(self, *, width: int, depth: int, length: int, vocabulary: int) -> None:
        super().__init__()
        self.tokens = nn.Embedding(vocabulary, width)
        self.positions = nn.Embedding(length, width)
        self.blocks = nn.ModuleList(GptBlock(width, 4) for _ in range(depth))
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, vocabulary, bias=False)

    def forward(self, tokens: Tensor) -> Tensor:
        x = self.tokens(tokens) + self.positions(torch.arange(tokens.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))  # type: ignore[no-any-return]


def make_mlp() -> nn.Module:
    return nn.Sequential(nn.Linear(784, 128), nn.ReLU(), nn.Linear(128, 64), nn.ReLU(), nn.Linear(64, 10))


def training_step(model: nn.Module, optimizer: Optimizer, batches: Sequence[Batch]) -> Step:
    """A function that does one update on the next batch; class scores are in the last dimension."""
    source = cycle(batches)

    def step() -> None:
        inputs, targets = next(source)
        optimizer.zero_grad()
        scores = model(inputs)
        loss = F.cross_entropy(scores.view(-1, scores.shape[-1]), targets.view(-1))
        loss.backward()
        optimizer.step()

    return step


def cnn(width: int = 64, *, batch: int = 32, inplace: bool = False) -> Workload:
    torch.manual_seed(0)
    model = ResNet(width, inplace=inplace)
    optimizer = SGD(model.parameters(), lr=0.01, momentum=0.9)
    batches = [(torch.randn(batch, 3, 32, 32), torch.randint(10, (batch,))) for _ in range(BATCHES)]
    return model, optimizer, training_step(model, optimizer, batches)


def gpt(*, width: int = 256, depth: int = 4, length: int = 128, batch: int = 8, vocabulary: int = 512) -> Workload:
    torch.manual_seed(0)
    model = Gpt(width=width, depth=depth, length=length, vocabulary=vocabulary)
    optimizer = AdamW(model.parameters(), lr=3e-4)
    texts = [torch.randint(vocabulary, (batch, length + 1)) for _ in range(BATCHES)]
    batches = [(text[:, :-1].contiguous(), text[:, 1:].contiguous()) for text in texts]
    return model, optimizer, training_step(model, optimizer, batches)


def mlp() -> Workload:
    torch.manual_seed(0)
    model = make_mlp()
    optimizer = SGD(model.parameters(), lr=0.01, momentum=0.9)
    batches = [(torch.randn(64, 784), torch.randint(10, (64,))) for _ in range(BATCHES)]
    return model, optimizer, training_step(model, optimizer, batches)


WORKLOADS: dict[str, Callable[[], Workload]] = {
    "cnn": cnn,
    "cnn-half": partial(cnn, 32),
    "gpt": gpt,
    "mlp": mlp,
    "cnn-small": partial(cnn, 4, batch=4, inplace=True),
    "gpt-small": partial(gpt, width=32, depth=2, length=16, batch=2, vocabulary=64),
}
