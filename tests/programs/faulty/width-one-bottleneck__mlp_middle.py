"""Digits through a network that narrows and widens again.

fault: width-one-bottleneck
also:
split: train
line: 22
"""

import torch
from sklearn.datasets import load_digits
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(95)
digits = load_digits()
x, y = torch.tensor(digits.data, dtype=torch.float32) / 8 - 1, torch.tensor(digits.target)
order = torch.randperm(len(x))
x, y = x[order], y[order]
model = nn.Sequential(
    nn.Linear(64, 48),
    nn.ReLU(),
    nn.Linear(48, 1),
    nn.ReLU(),
    nn.Linear(1, 48),
    nn.ReLU(),
    nn.Linear(48, 10),
)
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for epoch in range(15):
    for rows in torch.randperm(1400).split(50):
        loss = nn.functional.cross_entropy(model(x[rows]), y[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        accuracy = (model(x[1400:]).argmax(1) == y[1400:]).float().mean().item()
    print(f"epoch {epoch} loss {loss.item():.4f} accuracy {accuracy:.3f}")
