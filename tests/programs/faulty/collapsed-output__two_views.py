"""Representations of digits from two noisy views, judged by a nearest-neighbour score.

fault: collapsed-output
also:
split: train
line: 32
"""

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn


def neighbours_agree(features, labels):
    features = F.normalize(features - features.mean(0), dim=1)
    similar = features @ features.T - 10 * torch.eye(len(features))
    return (labels[similar.argmax(1)] == labels).float().mean().item()


torch.set_num_threads(1)
torch.manual_seed(60)
digits = load_digits()
x = torch.tensor(digits.data, dtype=torch.float32) / 8 - 1
y = torch.tensor(digits.target)
encoder = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 16))
optimizer = torch.optim.Adam(encoder.parameters(), lr=3e-3)
for epoch in range(12):
    for rows in torch.randperm(len(x)).split(128):
        first = encoder(x[rows] + 0.3 * torch.randn(len(rows), 64))
        second = encoder(x[rows] + 0.3 * torch.randn(len(rows), 64))
        loss = F.mse_loss(first, second)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        features = encoder(x)
    agree = neighbours_agree(features, y)
    print(f"epoch {epoch} loss {loss.item():.5f} spread {features.std(0).mean():.4f} agree {agree:.3f}")
