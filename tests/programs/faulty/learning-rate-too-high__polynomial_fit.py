"""Least squares on polynomial features with plain gradient descent on all of the data.

fault: learning-rate-too-high
also: divergence
split: train
line: 22
"""

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(405)

t = torch.rand(400, 1) * 2 - 1
features = torch.cat([t**k for k in range(1, 6)], dim=1)
features = (features - features.mean(0)) / features.std(0)
target = torch.sin(3 * t) + 0.1 * torch.randn_like(t)
fit, held_out = slice(0, 300), slice(300, 400)

line = nn.Linear(5, 1)
descent = torch.optim.SGD(line.parameters(), lr=0.7)

for step in range(150):
    loss = (line(features[fit]) - target[fit]).square().mean()
    descent.zero_grad()
    loss.backward()
    descent.step()
    if step % 25 == 0:
        with torch.no_grad():
            held = (line(features[held_out]) - target[held_out]).square().mean()
        print(f"{step:4d} {loss.item():.4g} {held.item():.4g}")
with torch.no_grad():
    print("final", (line(features[held_out]) - target[held_out]).square().mean().item())
