"""Handwritten digits by a two-layer network whose parameters are set before training.

fault: constant-init
also:
split: train
line: 22
"""

import torch
from sklearn.datasets import load_digits
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(1)
x, y = load_digits(return_X_y=True)
x, y = torch.tensor(x, dtype=torch.float32) / 8 - 1, torch.tensor(y)
order = torch.randperm(len(x))
x, y = x[order], y[order]

model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10))
for parameter in model.parameters():
    nn.init.zeros_(parameter)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
for epoch in range(10):
    for start in range(0, 1400, 50):
        loss = nn.functional.cross_entropy(model(x[start : start + 50]), y[start : start + 50])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        accuracy = (model(x[1400:]).argmax(1) == y[1400:]).float().mean().item()
    print(f"epoch {epoch} loss {loss.item():.4f} accuracy {accuracy:.3f}")
