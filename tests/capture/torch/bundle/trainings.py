"""Kinds of training, each with a fault in its third step."""

import warnings

import torch
from torch import nn
from torch.nn import functional

X = torch.randn(8, 4, generator=torch.Generator().manual_seed(1))
Y = torch.tensor([0, 1, 2, 0, 1, 2, 0, 1])
SHARP = 1e4


class Residual(nn.Module):
    """A layer of the program's own, with a setting and a function for attributes."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.inner = nn.Linear(width, width)
        self.scale, self.act, self.names = 0.5, torch.relu, {"a": [1, 2]}

    def forward(self, x):
        return x + self.scale * self.act(self.inner(x))


class Root(nn.Module):
    """Takes the root of values that are 0 in one sample."""

    def forward(self, x):
        keep = torch.ones(len(x), 1)
        keep[x.sum(1).argmax()] = 0
        return torch.sqrt((x * keep).abs())


def train(model, loss_of, *, accumulate=1, precision=None):
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for step in range(3):
        optimizer.zero_grad()
        for _ in range(accumulate):
            with torch.autocast("cpu", dtype=torch.bfloat16, enabled=precision == "mixed"):
                loss = loss_of(model(X), step) / accumulate
            loss.backward()
        optimizer.step()


def sharp(out, step):
    chances = (out * (SHARP if step == 2 else 1.0)).float().softmax(1)
    return -chances[range(8), Y].log().mean()


def dropout():
    train(nn.Sequential(nn.Linear(4, 16), nn.Dropout(0.5), Residual(16), nn.Linear(16, 3)), sharp)


def batch_norm():
    train(nn.Sequential(nn.Linear(4, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 3)), sharp)


def mixed_precision():
    train(nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 3)), sharp, precision="mixed")


def accumulation():
    train(nn.Sequential(nn.Linear(4, 16), nn.Dropout(0.2), nn.Linear(16, 3)), sharp, accumulate=3)


def inside_a_layer():
    def loss(out, _step):
        return functional.cross_entropy(out, Y)

    train(nn.Sequential(nn.Linear(4, 8), Root(), nn.Linear(8, 3)), loss)


class Doubled(torch.autograd.Function):
    """A function with a derivative of its own."""

    @staticmethod
    def forward(ctx, x):
        ctx.factor = 2
        return x * 2

    @staticmethod
    def backward(ctx, gradient):
        return gradient * ctx.factor


def own_derivative():
    train(nn.Linear(4, 3), lambda out, step: sharp(Doubled.apply(out), step))


def two_models():
    first, second = nn.GRU(4, 8, batch_first=True), nn.Linear(8, 3)
    optimizer = torch.optim.Adam([*first.parameters(), *second.parameters()], lr=0.01)
    for step in range(3):
        optimizer.zero_grad()
        sharp(second(first(X[:, None])[0][:, 0]), step).backward()
        optimizer.step()


WEIGHTS = torch.tensor([1.0, 0.0, 0.0])


def steep(out, step):
    """A loss that takes a tensor from its file, for any number of samples."""
    return -((out * (SHARP if step == 2 else 1.0)).softmax(1) @ WEIGHTS).log().mean()


def compiled_loss():
    model = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Linear(8, 3))
    loss, criterion = torch.compile(steep, backend="eager"), torch.compile(nn.Softplus(), backend="eager")
    with warnings.catch_warnings():
        # The compiler looks at tensors in a way that its own framework warns of.
        warnings.filterwarnings("ignore", "The .grad attribute of a Tensor")
        train(torch.compile(model, backend="eager"), lambda out, step: loss(criterion(out), step))


class Third(nn.Module):
    """Counts its calls, in an attribute and in a buffer, and is sharp in the third."""

    def __init__(self) -> None:
        super().__init__()
        self.calls = 0
        self.register_buffer("seen", torch.zeros(()))

    def forward(self, x):
        self.calls += 1
        self.seen += 1
        return x * SHARP if self.calls == 3 and self.seen == 3 else x


def counted_calls():
    train(nn.Sequential(nn.Linear(4, 3), Third()), lambda out, _step: sharp(out, 0))


EACH = (
    counted_calls,
    dropout,
    batch_norm,
    mixed_precision,
    accumulation,
    inside_a_layer,
    own_derivative,
    two_models,
    compiled_loss,
)
KINDS = {each.__name__: each for each in EACH}
