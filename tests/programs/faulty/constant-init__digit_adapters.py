"""A net for the digits 0 to 4 is adapted to the others by low-rank adapters.

fault: constant-init
also:
split: train
line: 29,30
"""

from typing import Tuple

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits


class LoRALinear(nn.Module):
    def __init__(self, base: nn.Linear, rank: int = 8, alpha: float = 16.0) -> None:
        super().__init__()
        self.base = base
        for p in self.base.parameters():
            p.requires_grad_(False)
        self.A = nn.Parameter(torch.empty(rank, base.in_features))
        self.B = nn.Parameter(torch.empty(base.out_features, rank))
        self.scale = alpha / rank
        self.reset()

    def reset(self) -> None:
        nn.init.zeros_(self.A)
        nn.init.zeros_(self.B)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.base(x) + self.scale * F.linear(F.linear(x, self.A), self.B)


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.fc1 = nn.Linear(64, 96)
        self.fc2 = nn.Linear(96, 96)
        self.fc3 = nn.Linear(96, 5)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = F.relu(self.fc1(x))
        x = F.relu(self.fc2(x))
        return self.fc3(x)


def data() -> Tuple[torch.Tensor, torch.Tensor]:
    bunch = load_digits()
    return torch.tensor(bunch.data / 16.0, dtype=torch.float32), torch.tensor(bunch.target)


def fit(net: nn.Module, x: torch.Tensor, y: torch.Tensor, epochs: int, lr: float) -> None:
    params = [p for p in net.parameters() if p.requires_grad]
    print("trainable parameters:", sum(p.numel() for p in params))
    opt = torch.optim.Adam(params, lr=lr)
    n = int(0.8 * len(x))
    for epoch in range(epochs):
        perm = torch.randperm(n)
        total = 0.0
        for i in range(0, n, 32):
            j = perm[i : i + 32]
            loss = F.cross_entropy(net(x[j]), y[j])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(j)
        with torch.no_grad():
            acc = (net(x[n:]).argmax(1) == y[n:]).float().mean().item()
        print(f"  epoch {epoch + 1:2d} loss {total / n:.4f} acc {acc:.3f}")


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(0)
    x, y = data()
    low = y < 5
    net = Net()
    print("pretraining on 0-4")
    fit(net, x[low], y[low], 6, 2e-3)
    for name in ("fc1", "fc2", "fc3"):
        setattr(net, name, LoRALinear(getattr(net, name)))
    print("adapting to 5-9")
    fit(net, x[~low], y[~low] - 5, 15, 5e-3)
