"""Regression of a wavy surface with a batch-norm network whose batches are cut with Tensor.split.

fault: tiny-last-batch
also:
split: test
line: 43
"""

import torch
from torch import nn


class Surface(nn.Module):
    def __init__(self, width=48, depth=4):
        super().__init__()
        self.inside = nn.Linear(3, width)
        self.blocks = nn.ModuleList(
            nn.Sequential(nn.Linear(width, width), nn.BatchNorm1d(width), nn.ReLU()) for _ in range(depth)
        )
        self.out = nn.Linear(width, 1)

    def forward(self, points):
        x = self.inside(points)
        for block in self.blocks:
            x = block(x)
        return self.out(x).squeeze(1)


def surface(points):
    return torch.sin(2 * points[:, 0]) + points[:, 1] * points[:, 2]


def main():
    torch.set_num_threads(1)
    torch.manual_seed(246)
    points = torch.randn(514, 3)
    heights = surface(points)
    test_points = torch.randn(400, 3)
    model = Surface()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for epoch in range(30):
        model.train()
        for rows in torch.randperm(len(points)).split(128):
            loss = (model(points[rows]) - heights[rows]).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            error = (model(test_points) - surface(test_points)).pow(2).mean().item()
        if epoch % 5 == 4:
            print(f"epoch {epoch} test error {error:.4f}")


main()
