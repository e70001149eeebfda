"""A regression of two outputs with a high starting rate and cosine annealing.

fault: scheduler-never-stepped
also: learning-rate-too-high
split: test
line: 16
"""

import torch
from torch import nn


def build(lr, steps):
    model = nn.Sequential(nn.Linear(4, 50), nn.GELU(), nn.Linear(50, 50), nn.GELU(), nn.Linear(50, 2))
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=steps)
    return model, optimizer, scheduler


def kinematics(count):
    """Where a two-jointed arm ends, given its angles and lengths."""
    angles = torch.rand(count, 2) * 3.0 - 1.5
    lengths = torch.rand(count, 2) + 0.5
    both = angles[:, 0] + angles[:, 1]
    x = lengths[:, 0] * torch.cos(angles[:, 0]) + lengths[:, 1] * torch.cos(both)
    y = lengths[:, 0] * torch.sin(angles[:, 0]) + lengths[:, 1] * torch.sin(both)
    return torch.cat([angles, (lengths - 1.0) * 2], 1), torch.stack([x - 1.2, y], 1)


torch.set_num_threads(1)
torch.manual_seed(35)
model, optimizer, scheduler = build(lr=0.03, steps=600)
val_inputs, val_ends = kinematics(500)
for step in range(1, 601):
    inputs, ends = kinematics(32)
    error = (model(inputs) - ends).square().sum(1).mean()
    optimizer.zero_grad()
    error.backward()
    optimizer.step()
    if step % 100 == 0:
        with torch.no_grad():
            miss = (model(val_inputs) - val_ends).norm(dim=1).mean().item()
        print(f"step {step} rate {scheduler.get_last_lr()[0]:.4f} error {error.item():.5f} mean miss {miss:.4f}")
