"""A deep network that learns the height of a wavy surface from two coordinates.

fault: vanishing-gradient
also: badly-scaled-init, activation-scale
split: train
line: 21
"""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x):
        return torch.tanh(self.linear(x))


class Surface(nn.Module):
    def __init__(self, width=32, depth=24):
        super().__init__()
        self.first = nn.Linear(2, width)
        self.blocks = nn.ModuleList(Block(width) for _ in range(depth))
        self.last = nn.Linear(width, 1)

    def forward(self, points):
        x = torch.tanh(self.first(points))
        for block in self.blocks:
            x = block(x)
        return self.last(x).squeeze(1)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(5)
    points = torch.rand(1500, 2) * 2 - 1
    heights = torch.sin(3 * points[:, 0]) + torch.cos(2 * points[:, 1])
    heights = (heights - heights.mean()) / heights.std()
    train = DataLoader(TensorDataset(points[:1200], heights[:1200]), batch_size=50, shuffle=True)
    model = Surface()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9)
    for epoch in range(12):
        total = 0.0
        for batch, wanted in train:
            loss = F.mse_loss(model(batch), wanted)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        with torch.no_grad():
            error = F.mse_loss(model(points[1200:]), heights[1200:]).item()
        print(f"{epoch}: train {total / len(train):.4f}, held out {error:.4f}")


if __name__ == "__main__":
    main()
