"""Separates two interleaved spirals of points, with a rate that is lowered in steps.

fault: scheduler-too-often
also: learning-rate-too-low
split: test
line: 32
"""

import math

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(23)


def spirals(count):
    label = torch.arange(count) % 2
    turn = torch.rand(count) * 2.2 * math.pi
    radius = 0.3 + turn / 4
    angle = turn + label * math.pi
    points = torch.stack([radius * angle.cos(), radius * angle.sin()], 1)
    return points + 0.04 * torch.randn(count, 2), label


points, labels = spirals(1200)
new_points, new_labels = spirals(400)
model = nn.Sequential(nn.Linear(2, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 2))
loss_function = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
schedule = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.05)

for epoch in range(24):
    order = torch.randperm(len(points))
    for start in range(0, len(order), 24):
        rows = order[start : start + 24]
        loss = loss_function(model(points[rows]), labels[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    schedule.step()
    with torch.no_grad():
        right = (model(new_points).argmax(1) == new_labels).float().mean().item()
    if epoch % 4 == 3:
        print(f"epoch {epoch + 1}: loss {loss.item():.4f}, right {right:.3f}")
