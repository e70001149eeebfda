"""More pairs of models that compute the same, each pair in two ways of writing; faults can be planted in the second."""

import math

import torch
from torch import Tensor, nn
from torch.nn import functional as F

Pair = tuple[nn.Module, nn.Module]


class Scan(nn.Module):
    """A decaying sum over time, step by step."""

    def __init__(self) -> None:
        super().__init__()
        self.enter, self.rate, self.leave = nn.Linear(4, 8), nn.Parameter(torch.rand(8)), nn.Linear(8, 2)

    def forward(self, x: Tensor) -> Tensor:
        given, state, out = self.enter(x), torch.zeros(()), []
        for time in range(x.shape[1]):
            state = state * torch.sigmoid(self.rate) + given[:, time]
            out.append(state)
        made: Tensor = self.leave(torch.stack(out, 1))
        return made


class Powers(nn.Module):
    """The same by a matrix of powers; the parameter of its own is used before the bias."""

    def __init__(self, fault: str = "") -> None:
        super().__init__()
        self.decay, self.inp, self.out = nn.Parameter(torch.rand(8)), nn.Linear(4, 8), nn.Linear(8, 2)
        self.late = fault == "late"

    def forward(self, x: Tensor) -> Tensor:
        time = torch.arange(x.shape[1])
        lag = time[:, None] - time
        weights = torch.sigmoid(self.decay) ** (lag.clamp(min=0)[..., None] + self.late) * (lag >= 0)[..., None]
        made: Tensor = self.out(torch.einsum("tsd,bsd->btd", weights, self.inp(x)))
        return made


class Instance(nn.Module):
    """A norm of each picture by itself."""

    def __init__(self) -> None:
        super().__init__()
        self.conv, self.norm, self.out = nn.Conv2d(3, 6, 3), nn.InstanceNorm2d(6, affine=True), nn.Conv2d(6, 2, 1)

    def forward(self, x: Tensor) -> Tensor:
        made: Tensor = self.out(self.norm(self.conv(x)).relu())
        return made


class InstanceByHand(nn.Module):
    """The same, written out."""

    def __init__(self, fault: str = "") -> None:
        super().__init__()
        self.conv, self.out = nn.Conv2d(3, 6, 3), nn.Conv2d(6, 2, 1)
        self.gain, self.shift = nn.Parameter(torch.ones(6, 1, 1)), nn.Parameter(torch.zeros(6, 1, 1))
        self.correction = int(fault == "sample spread")

    def forward(self, x: Tensor) -> Tensor:
        y = self.conv(x)
        spread, mean = torch.var_mean(y, (2, 3), correction=self.correction, keepdim=True)
        made: Tensor = self.out(((y - mean) / (spread + 1e-5).sqrt() * self.gain + self.shift).relu())
        return made


class Focal(nn.Module):
    """A loss that turns to what is hard, from the logarithms."""

    def __init__(self) -> None:
        super().__init__()
        self.head = nn.Linear(5, 3)

    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        logs = F.log_softmax(self.head(x), -1).gather(1, y[:, None])[:, 0]
        return (-((1 - logs.exp()) ** 2.0) * logs).mean()


class FocalByEntropy(nn.Module):
    """The same from the cross-entropy, which has the other sign."""

    def __init__(self, fault: str = "") -> None:
        super().__init__()
        self.last, self.gamma = nn.Linear(5, 3), 1.5 if fault == "power" else 2.0

    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        entropy = F.cross_entropy(self.last(x), y, reduction="none")
        return ((1 - torch.exp(-entropy)) ** self.gamma * entropy).mean()


class Squeezed(nn.Module):
    """Channels that are weighed by their means, with convolutions."""

    def __init__(self) -> None:
        super().__init__()
        self.conv, self.down, self.up = nn.Conv2d(3, 8, 3, padding=1), nn.Conv2d(8, 2, 1), nn.Conv2d(2, 8, 1)

    def forward(self, x: Tensor) -> Tensor:
        y: Tensor = self.conv(x)
        return y * torch.sigmoid(self.up(F.relu(self.down(y.mean((2, 3), keepdim=True)))))


class SqueezedByMatrices(nn.Module):
    """The same with matrices."""

    def __init__(self, fault: str = "") -> None:
        super().__init__()
        self.stem, self.one, self.two = nn.Conv2d(3, 8, 3, padding=1), nn.Linear(8, 2), nn.Linear(2, 8)
        self.gate = F.hardsigmoid if fault == "hard" else torch.sigmoid

    def forward(self, x: Tensor) -> Tensor:
        y: Tensor = self.stem(x)
        return y * self.gate(self.two(self.one(F.adaptive_avg_pool2d(y, 1).flatten(1)).relu()))[..., None, None]


class Cosine(nn.Module):
    """Classes by the angle to their prototypes."""

    def __init__(self) -> None:
        super().__init__()
        self.embed, self.prototypes = nn.Linear(6, 8), nn.Parameter(torch.randn(5, 8))

    def forward(self, x: Tensor) -> Tensor:
        return 10.0 * F.normalize(self.embed(x).tanh(), dim=-1) @ F.normalize(self.prototypes, dim=-1).T


class CosineByName(nn.Module):
    """The same by the function for it."""

    def __init__(self, fault: str = "") -> None:
        super().__init__()
        self.body, self.centres, self.scale = nn.Linear(6, 8), nn.Parameter(torch.randn(5, 8)), 10.0
        self.scale *= 2 if fault == "temperature" else 1

    def forward(self, x: Tensor) -> Tensor:
        return self.scale * F.cosine_similarity(self.body(x).tanh()[:, None], self.centres[None], dim=-1)


class Shuffled(nn.Module):
    """A picture made larger from its channels."""

    def __init__(self) -> None:
        super().__init__()
        self.conv, self.out = nn.Conv2d(3, 16, 3, padding=1), nn.Conv2d(4, 1, 1)

    def forward(self, x: Tensor) -> Tensor:
        made: Tensor = self.out(F.pixel_shuffle(self.conv(x), 2))
        return made


class ShuffledByHand(nn.Module):
    """The same by its axes."""

    def __init__(self, fault: str = "") -> None:
        super().__init__()
        self.conv, self.out, self.is_last = nn.Conv2d(3, 16, 3, padding=1), nn.Conv2d(4, 1, 1), fault == "channels last"

    def forward(self, x: Tensor) -> Tensor:
        y = self.conv(x)
        n, _, high, wide = y.shape
        parts = y.view(n, 2, 2, 4, high, wide).permute(0, 3, 1, 2, 4, 5) if self.is_last else None
        parts = y.view(n, 4, 2, 2, high, wide) if parts is None else parts
        made: Tensor = self.out(parts.permute(0, 1, 4, 2, 5, 3).reshape(n, 4, 2 * high, 2 * wide))
        return made


class Bag(nn.Module):
    """The mean of words, and a product of two ways to see it."""

    def __init__(self) -> None:
        super().__init__()
        self.words, self.both = nn.EmbeddingBag(20, 6, mode="mean"), nn.Bilinear(6, 6, 3)

    def forward(self, ids: Tensor, others: Tensor) -> Tensor:
        made: Tensor = self.both(self.words(ids), self.words(others))
        return made


class BagByHand(nn.Module):
    """The same from plain tables and products."""

    def __init__(self, fault: str = "") -> None:
        super().__init__()
        self.table, self.w, self.b = (
            nn.Embedding(20, 6),
            nn.Parameter(torch.randn(3, 6, 6)),
            nn.Parameter(torch.ones(3)),
        )
        self.rule = "oij,nj,ni->no" if fault == "turned" else "oij,ni,nj->no"

    def forward(self, ids: Tensor, others: Tensor) -> Tensor:
        return torch.einsum(self.rule, self.w, self.table(ids).mean(1), self.table(others).mean(1)) + self.b


class Quantised(nn.Module):
    """Values from a book, through which the gradient goes as if it were not there."""

    def __init__(self, fault: str = "") -> None:
        super().__init__()
        self.enter, self.book, self.leave = nn.Linear(5, 4), nn.Embedding(16, 4), nn.Linear(4, 5)
        self.is_cut = fault == "not through"

    def forward(self, x: Tensor) -> Tensor:
        z = self.enter(x)
        near = self.book(torch.cdist(z, self.book.weight).argmin(-1))
        made: Tensor = self.leave(near if self.is_cut else z + (near - z).detach())
        return made


class Graph(nn.Module):
    """Attention over neighbours."""

    def __init__(self, fault: str = "") -> None:
        super().__init__()
        self.w, self.slope = nn.Linear(3, 6, bias=False), 0.01 if fault == "slope" else 0.2
        self.source, self.target = nn.Parameter(torch.randn(6)), nn.Parameter(torch.randn(6))

    def forward(self, x: Tensor) -> Tensor:
        h = self.w(x)
        scores = F.leaky_relu((h @ self.target)[:, None] + (h @ self.source)[None], self.slope)
        return (scores / math.sqrt(6)).softmax(1) @ h  # type: ignore[no-any-return]


MODELS: dict[str, tuple[type[nn.Module], type[nn.Module]]] = {
    "scan": (Scan, Powers), "instance": (Instance, InstanceByHand), "focal": (Focal, FocalByEntropy),
    "squeezed": (Squeezed, SqueezedByMatrices), "cosine": (Cosine, CosineByName), "bag": (Bag, BagByHand),
    "shuffled": (Shuffled, ShuffledByHand), "quantised": (Quantised, Quantised), "graph": (Graph, Graph),
}  # fmt: skip


def pair(name: str, *fault: str) -> Pair:
    """Both models of a name, each with weights of its own."""
    one, other = MODELS[name]
    torch.manual_seed(0)
    return one(), other(*fault)
