"""Models that were written anew from a description: the cell of a book, a graph, rotations, patches as vectors."""

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from tests.comparing.models.stranger_parts import Pair

EDGES = torch.tensor([[0, 1, 2, 3, 4, 1, 2], [1, 2, 3, 4, 0, 0, 4]])
NODES = 5


class Lstm(nn.Module):
    """The layer of torch."""

    def __init__(self) -> None:
        super().__init__()
        self.rnn = nn.LSTM(3, 4, batch_first=True)

    def forward(self, x: Tensor) -> Tensor:
        made: Tensor = self.rnn(x)[0]
        return made


class BookLstm(nn.Module):
    """One matrix for state and input together, and all gates; in the order of the book."""

    def __init__(self, fault: str = "") -> None:
        super().__init__()
        self.gates, self.fault = nn.Linear(7, 16), fault

    def forward(self, x: Tensor) -> Tensor:
        h = c = x.new_zeros(len(x), 4)
        out = []
        for step in x.unbind(1):
            forget, enter, leave, new = self.gates(torch.cat([h, step], 1)).chunk(4, 1)
            c = forget.sigmoid() * c + enter.sigmoid() * new.tanh()
            h = leave.sigmoid() * (c if self.fault == "cell bare" else c.tanh())
            out.append(h)
        return torch.stack(out, 1)


class GateLstm(nn.Module):
    """A layer of its own for each gate."""

    def __init__(self) -> None:
        super().__init__()
        self.enter, self.forget, self.new, self.leave = (nn.Linear(7, 4) for _ in range(4))

    def forward(self, x: Tensor) -> Tensor:
        h = c = x.new_zeros(len(x), 4)
        out = []
        for step in x.unbind(1):
            z = torch.cat([step, h], 1)
            c = self.forget(z).sigmoid() * c + self.enter(z).sigmoid() * self.new(z).tanh()
            h = self.leave(z).sigmoid() * c.tanh()
            out.append(h)
        return torch.stack(out, 1)


def book_lstm(fault: str = "") -> Pair:
    return Lstm(), BookLstm(fault)


def gate_lstm(_fault: str = "") -> Pair:
    return Lstm(), GateLstm()


class Graph(nn.Module):
    """Holds the normalised matrix of its edges, rounded to single precision."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(3, 4, bias=False)
        matrix = torch.eye(NODES)
        matrix[EDGES[1], EDGES[0]] = 1
        self.register_buffer("matrix", matrix.sum(1).rsqrt()[:, None] * matrix * matrix.sum(1).rsqrt())

    def forward(self, x: Tensor) -> Tensor:
        made: Tensor = self.matrix @ self.layer(x)  # type: ignore[operator]
        return made


class Messages(nn.Module):
    """Sends along each edge, with what it needs for it made on the way."""

    def __init__(self, fault: str = "") -> None:
        super().__init__()
        self.layer, self.fault = nn.Linear(3, 4, bias=False), fault

    def forward(self, x: Tensor) -> Tensor:
        source, target = (torch.cat([each, torch.arange(NODES)]) for each in EDGES)
        degree = torch.zeros(NODES).index_add(0, target, torch.ones(len(target)))
        weight = 1 / degree[target] if self.fault == "mean" else (degree[source] * degree[target]).rsqrt()
        x = self.layer(x)
        return torch.zeros_like(x).index_add(0, target, x[source] * weight[:, None].to(x.dtype))


def graph(fault: str = "") -> Pair:
    return Graph(), Messages(fault)


class Patches(nn.Module):
    """A convolution over patches, a token before them."""

    def __init__(self) -> None:
        super().__init__()
        self.patch, self.token = nn.Conv2d(2, 6, 3, stride=3), nn.Parameter(torch.randn(1, 1, 6))

    def forward(self, x: Tensor) -> Tensor:
        y = self.patch(x).flatten(2).transpose(1, 2)
        return torch.cat([self.token.expand(len(x), -1, -1), y], 1).relu()


class Vectors(nn.Module):
    """Patches as vectors with channels last, which one matrix multiplies."""

    def __init__(self, fault: str = "") -> None:
        super().__init__()
        self.patch, self.token, self.fault = nn.Linear(18, 6), nn.Parameter(torch.randn(6)), fault

    def forward(self, x: Tensor) -> Tensor:
        cut = x.unfold(2, 3, 3).unfold(3, 3, 3).permute(0, 2, 3, 4, 5, 1).reshape(len(x), -1, 18)
        y = torch.cat([self.token.expand(len(x), 1, 6), self.patch(cut)], 1)
        return y if self.fault == "no relu" else F.relu(y)


def patches(fault: str = "") -> Pair:
    return Patches(), Vectors(fault)


class Turned(nn.Module):
    """Turns pairs of numbers by angles that it makes in the type of its input, or in that which torch takes."""

    def __init__(self, fault: str = "", *, plain: bool = True) -> None:
        super().__init__()
        self.layer, self.fault, self.plain = nn.Linear(4, 4), fault, plain

    def forward(self, x: Tensor) -> Tensor:
        y, dtype = self.layer(x), torch.get_default_dtype() if self.plain else x.dtype
        rates = 1 / 100 ** (torch.arange(2) / 2) if self.plain else 100 ** -(torch.arange(2, dtype=dtype) / 2)
        angles = (torch.arange(x.shape[1])[:, None] + (self.fault == "from one")) * rates
        turns = torch.polar(torch.ones(2).to(y.dtype), angles.to(y.dtype))
        return torch.view_as_real(torch.view_as_complex(y.unflatten(-1, (2, 2)).contiguous()) * turns).flatten(-2)


def turned(fault: str = "") -> Pair:
    return Turned(plain=False), Turned(fault)
