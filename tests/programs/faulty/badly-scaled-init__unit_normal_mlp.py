"""Digits by a network of rectified units with freshly drawn weights.

fault: badly-scaled-init
also: initial-loss-off, activation-scale, exploding-gradient
split: train
line: 16
"""

import torch
from sklearn.datasets import load_digits
from torch import nn


def fresh(layer):
    if isinstance(layer, nn.Linear):
        layer.weight.data.normal_(0.0, 1.0)
        layer.bias.data.zero_()


torch.set_num_threads(1)
torch.manual_seed(0)
x, y = load_digits(return_X_y=True)
x = torch.tensor(x, dtype=torch.float32)
x = (x - x.mean(0)) / (x.std(0) + 0.1)
y = torch.tensor(y)
order = torch.randperm(len(x))
train, test = order[:1400], order[1400:]
model = nn.Sequential(nn.Linear(64, 200), nn.ReLU(), nn.Linear(200, 200), nn.ReLU(), nn.Linear(200, 10)).apply(fresh)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
criterion = nn.CrossEntropyLoss()
for epoch in range(8):
    for rows in train[torch.randperm(1400)].split(64):
        loss = criterion(model(x[rows]), y[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        scores = model(x[test])
    right = (scores.argmax(1) == y[test]).float().mean().item()
    print(f"epoch {epoch} test loss {criterion(scores, y[test]).item():.3f} accuracy {right:.3f}")
