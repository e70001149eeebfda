"""Digits by a small classifier.

fault: too-small-model
also:
split: train
line: 13
"""

import torch
from sklearn.datasets import load_digits
from torch import nn

HIDDEN = 2

torch.set_num_threads(1)
torch.manual_seed(90)
digits = load_digits()
x, y = torch.tensor(digits.data, dtype=torch.float32) / 8 - 1, torch.tensor(digits.target)
order = torch.randperm(len(x))
train, test = order[:1400], order[1400:]
model = nn.Sequential(nn.Linear(64, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, 10))
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for epoch in range(20):
    for rows in train[torch.randperm(len(train))].split(50):
        loss = nn.functional.cross_entropy(model(x[rows]), y[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        accuracy = (model(x[test]).argmax(1) == y[test]).float().mean().item()
    print(f"epoch {epoch} loss {loss.item():.4f} accuracy {accuracy:.3f}")
