"""A small network that tells wines apart, with plain SGD on shuffled batches.

fault: learning-rate-too-high
also: loss-spike
split: train
line: 40
"""

import torch
import torch.nn.functional as F
from sklearn.datasets import load_wine
from torch import nn


def load(seed):
    x, y = load_wine(return_X_y=True)
    x, y = torch.tensor(x, dtype=torch.float32), torch.tensor(y)
    order = torch.randperm(len(x), generator=torch.Generator().manual_seed(seed))
    x = (x - x.mean(0)) / x.std(0)
    return x[order], y[order]


def train(model, x, y, epochs, lr):
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    for epoch in range(epochs):
        for rows in torch.randperm(130).split(10):
            loss = F.cross_entropy(model(x[rows]), y[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            right = (model(x[130:]).argmax(1) == y[130:]).float().mean().item()
        print(f"epoch {epoch} loss {loss.item():.4f} right {right:.3f}")


torch.set_num_threads(1)
torch.manual_seed(406)
x, y = load(1)
model = nn.Sequential(nn.Linear(13, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, 3))
train(model, x, y, epochs=20, lr=25.0)
