"""Digits with dropout and batch normalisation.

fault: misplaced-dropout
also: excessive-dropout
split: train
line: 15
"""

import torch
from sklearn.datasets import load_digits
from torch import nn


def block(inputs, outputs):
    return [nn.Linear(inputs, outputs), nn.ReLU(), nn.Dropout(0.7), nn.BatchNorm1d(outputs)]


torch.set_num_threads(1)
torch.manual_seed(122)
digits = load_digits()
x, y = torch.tensor(digits.data, dtype=torch.float32) / 8 - 1, torch.tensor(digits.target)
order = torch.randperm(len(x))
x, y = x[order], y[order]
model = nn.Sequential(*block(64, 48), *block(48, 48), *block(48, 48), nn.Linear(48, 10))
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for epoch in range(12):
    model.train()
    for rows in torch.randperm(1400).split(70):
        loss = nn.functional.cross_entropy(model(x[rows]), y[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        accuracy = (model(x[1400:]).argmax(1) == y[1400:]).float().mean().item()
    print(f"epoch {epoch} loss {loss.item():.4f} accuracy {accuracy:.3f}")
