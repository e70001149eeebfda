"""A deep regression network with clipped gradient values, in functions.

fault: clip-after-step
also:
split: train
line: 37
"""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def make_model(width=32, depth=5):
    layers = [nn.Linear(6, width), nn.ReLU()]
    for _ in range(depth):
        layers += [nn.Linear(width, width), nn.ReLU()]
    model = nn.Sequential(*layers, nn.Linear(width, 1))
    for layer in model:
        if isinstance(layer, nn.Linear):
            nn.init.kaiming_normal_(layer.weight)
            nn.init.zeros_(layer.bias)
    return model


def make_data(count):
    x = torch.randn(count, 6)
    y = x[:, :1] * x[:, 1:2] + x[:, 2:3].abs() - x[:, 3:4]
    return TensorDataset(x, y)


def optimise(model, optimizer, loss, limit):
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    nn.utils.clip_grad_value_(model.parameters(), limit)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(37)
    loader = DataLoader(make_data(1600), batch_size=32, shuffle=True)
    model = make_model()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.016, momentum=0.8)
    for epoch in range(8):
        total = 0.0
        for x, y in loader:
            loss = F.mse_loss(model(x), y)
            optimise(model, optimizer, loss, limit=0.1)
            total += loss.item()
        print(f"epoch {epoch}: mse {total / len(loader):.4f}")


main()
