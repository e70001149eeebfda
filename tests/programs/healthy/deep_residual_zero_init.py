"""Twelve residual blocks whose last layers start at zero, with SELU in a second, plain network for comparison.

split: train
"""

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits

torch.set_num_threads(1)
torch.manual_seed(100)


class Residual(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.up = nn.Linear(width, width)
        self.down = nn.Linear(width, width)
        nn.init.zeros_(self.down.weight)
        nn.init.zeros_(self.down.bias)

    def forward(self, x):
        return x + self.down(F.relu(self.up(self.norm(x))))


def selu_net():
    layers = []
    for size in (64, 96, 96, 96, 96):
        layers += [nn.Linear(size, 96), nn.SELU()]
    net = nn.Sequential(*layers, nn.Linear(96, 10))
    for module in net:
        if isinstance(module, nn.Linear):
            nn.init.kaiming_normal_(module.weight, nonlinearity="linear")
            nn.init.zeros_(module.bias)
    return net


digits = load_digits()
x = torch.tensor(digits.data, dtype=torch.float32)
x = (x - x.mean()) / x.std()
y = torch.tensor(digits.target)


def run(name, model):
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for _ in range(5):
        model.train()
        for rows in torch.randperm(1400).split(64):
            loss = F.cross_entropy(model(x[rows]), y[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    model.eval()
    with torch.no_grad():
        print(name, loss.item(), (model(x[1400:]).argmax(1) == y[1400:]).float().mean().item())


run(
    "residual",
    nn.Sequential(nn.Linear(64, 48), *[Residual(48) for _ in range(12)], nn.LayerNorm(48), nn.Linear(48, 10)),
)
run("selu", selu_net())
