"""An embedding of digits in which pairs of one class are pulled together and others pushed apart.

fault: non-finite-value
also:
split: train
line: 29
"""

import torch
from sklearn.datasets import load_digits
from torch import nn


class Embedder(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 8))

    def forward(self, x):
        return self.net(x)


class PairLoss(nn.Module):
    def __init__(self, margin=2.0):
        super().__init__()
        self.margin = margin

    def forward(self, points, labels):
        distance = ((points[:, None] - points[None]) ** 2).sum(-1).sqrt()
        same = (labels[:, None] == labels[None]).float()
        pull = same * distance
        push = (1 - same) * torch.relu(self.margin - distance)
        return (pull + push).mean()


def nearest_accuracy(model, x, y, xt, yt):
    with torch.no_grad():
        nearest = torch.cdist(model(xt), model(x)).argmin(1)
    return (y[nearest] == yt).float().mean().item()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(302)
    digits = load_digits()
    x = torch.tensor(digits.data, dtype=torch.float32) / 8 - 1
    y = torch.tensor(digits.target)
    train, test = torch.randperm(len(x)).split([1400, len(x) - 1400])
    model, criterion = Embedder(), PairLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    for epoch in range(6):
        for rows in train[torch.randperm(len(train))].split(64):
            loss = criterion(model(x[rows]), y[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(epoch, loss.item(), nearest_accuracy(model, x[train], y[train], x[test], y[test]))


main()
