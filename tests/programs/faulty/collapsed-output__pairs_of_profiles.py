"""A siamese network that brings samples of one cultivar together.

fault: collapsed-output
also:
split: train
line: 26
"""

import torch
from sklearn.datasets import load_wine
from torch import nn


class Siamese(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Sequential(nn.Linear(13, 32), nn.Tanh(), nn.Linear(32, 8))

    def forward(self, x):
        return self.embed(x)


def pair_loss(a, b, same, margin=2.0):
    distance = (a - b).pow(2).sum(1)
    apart = (margin - (distance + 1e-8).sqrt()).clamp(min=0).pow(2)
    return (same * distance + (1 - same) * 0 * apart).mean()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(61)
    wine = load_wine()
    x = torch.tensor(wine.data, dtype=torch.float32)
    x = (x - x.mean(0)) / x.std(0)
    y = torch.tensor(wine.target)
    model = Siamese()
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    for step in range(1, 501):
        left, right = torch.randint(0, len(x), (2, 64))
        same = (y[left] == y[right]).float()
        loss = pair_loss(model(x[left]), model(x[right]), same)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 100 == 0:
            with torch.no_grad():
                e = model(x)
            distance = torch.cdist(e, e)
            near = y[:, None] == y[None]
            ratio = (distance[~near].mean() / distance[near].mean()).item()
            print(f"step {step} loss {loss.item():.6f} between/within {ratio:.2f} size {e.norm(dim=1).mean():.4f}")


main()
