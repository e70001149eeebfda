"""A one-dimensional convolutional encoder, trained before on other waves, is probed with a linear layer.

fault: pretrained-input-mismatch
also: input-not-scaled, preprocessing-differs
split: test
line: 56
"""

import math

import torch
import torch.nn.functional as F
from torch import nn


def encoder():
    return nn.Sequential(
        nn.Conv1d(1, 16, 5),
        nn.BatchNorm1d(16),
        nn.ReLU(),
        nn.Conv1d(16, 16, 5, stride=2),
        nn.BatchNorm1d(16),
        nn.ReLU(),
        nn.AdaptiveAvgPool1d(2),
        nn.Flatten(),
    )


def record(speeds, count):
    kind = torch.randint(0, len(speeds), (count,))
    angle = torch.tensor(speeds)[kind].unsqueeze(1) * torch.arange(32) + 2 * math.pi * torch.rand(count, 1)
    return (1.4 * torch.sin(angle) + 0.2 * torch.randn(count, 32)).unsqueeze(1), kind


def train(features, head, parameters, x, y, steps, lr):
    optimizer = torch.optim.Adam(parameters, lr=lr)
    for _ in range(steps):
        rows = torch.randint(0, len(x), (40,))
        loss = F.cross_entropy(head(features(x[rows])), y[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.item()


torch.set_num_threads(1)
torch.manual_seed(244)
old, old_head = encoder(), nn.Linear(32, 4)
x, y = record([0.3, 0.7, 1.1, 1.6], 1200)
train(old, old_head, [*old.parameters(), *old_head.parameters()], x, y, steps=200, lr=3e-3)

backbone, probe = encoder(), nn.Linear(32, 3)
backbone.load_state_dict(old.state_dict())
backbone.requires_grad_(False).eval()
x, y = record([0.5, 0.9, 1.3], 900)
x = 0.02 * x
loss = train(backbone, probe, probe.parameters(), x[:600], y[:600], steps=200, lr=1e-2)
with torch.no_grad():
    accuracy = (probe(backbone(x[600:])).argmax(1) == y[600:]).float().mean().item()
print(f"probe: loss {loss:.4f} accuracy {accuracy:.3f}")
