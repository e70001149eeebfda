"""A network of tanh units that learns digits.

fault: saturated-activation
also: badly-scaled-init
split: train
line: 21
"""

from itertools import pairwise

import torch
from sklearn.datasets import load_digits
from torch import nn


class Network(nn.Module):
    def __init__(self, sizes=(64, 128, 128, 10)):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in pairwise(sizes))
        for layer in self.layers[:-1]:
            nn.init.normal_(layer.weight, std=3.0)

    def forward(self, x):
        for layer in self.layers[:-1]:
            x = torch.tanh(layer(x))
        return self.layers[-1](x)


torch.set_num_threads(1)
torch.manual_seed(4)
x, y = load_digits(return_X_y=True)
x = torch.tensor(x, dtype=torch.float32) / 8 - 1
y = torch.tensor(y)
order = torch.randperm(len(x))
x, y = x[order], y[order]
model = Network()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
for epoch in range(15):
    for start in range(0, 1400, 70):
        loss = nn.functional.cross_entropy(model(x[start : start + 70]), y[start : start + 70])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        accuracy = (model(x[1400:]).argmax(1) == y[1400:]).float().mean().item()
    print(f"epoch {epoch} loss {loss.item():.4f} accuracy {accuracy:.3f}")
