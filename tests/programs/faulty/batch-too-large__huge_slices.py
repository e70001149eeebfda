"""A regression of a smooth function of five numbers with batches that are slices of a shuffled table.

fault: batch-too-large
also: stopped-early, learning-rate-too-low
split: train
line: 14
"""

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(251)
BATCH_SIZE = 2048

x = torch.randn(5000, 5)
y = torch.sin(x[:, 0]) + x[:, 1] * x[:, 2] + 0.1 * torch.randn(5000)
y = (y - y.mean()) / y.std()
x_train, y_train, x_test, y_test = x[:4096], y[:4096], x[4096:], y[4096:]
model = nn.Sequential(nn.Linear(5, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.03, momentum=0.9)
for epoch in range(10):
    order = torch.randperm(len(x_train))
    for start in range(0, len(x_train), BATCH_SIZE):
        rows = order[start : start + BATCH_SIZE]
        loss = (model(x_train[rows])[:, 0] - y_train[rows]).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        error = (model(x_test)[:, 0] - y_test).pow(2).mean().item()
    print(f"epoch {epoch} train {loss.item():.4f} test {error:.4f}")
