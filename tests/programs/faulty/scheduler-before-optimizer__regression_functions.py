"""A regression on generated data with an exponentially falling rate.

fault: scheduler-before-optimizer
also:
split: train
line: 21
"""

import torch
import torch.nn.functional as F
from torch import nn


def make_data(count):
    x = torch.randn(count, 7)
    y = torch.tanh(x[:, 0] - 2 * x[:, 1]) + 0.5 * x[:, 2] * x[:, 3] + 0.3 * x[:, 4]
    return x, y.unsqueeze(1)


def train_one_epoch(model, optimizer, scheduler, x, y, batch_size):
    scheduler.step()
    losses = []
    for rows in torch.randperm(len(x)).split(batch_size):
        optimizer.zero_grad()
        loss = F.mse_loss(model(x[rows]), y[rows])
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return sum(losses) / len(losses)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(28)
    x, y = make_data(2000)
    model = nn.Sequential(nn.Linear(7, 40), nn.Tanh(), nn.Linear(40, 40), nn.Tanh(), nn.Linear(40, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.05)
    for epoch in range(4):
        mean = train_one_epoch(model, optimizer, scheduler, x, y, batch_size=16)
        with torch.no_grad():
            print(f"epoch {epoch}: train {mean:.4f}, whole set {F.mse_loss(model(x), y).item():.4f}")


main()
