"""Noisy two-class points with a wide network; the last rows are kept for the test.

fault: split-leak
also:
split: train
line: 19
"""

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(239)

x = torch.randn(900, 12)
clean = (x[:, 0] * x[:, 1] + x[:, 2] > 0).long()
y = torch.where(torch.rand(900) < 0.2, 1 - clean, clean)
x_test, y_test = x[700:], y[700:]
x_train, y_train = x, y

model = nn.Sequential(nn.Linear(12, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, 2))
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
for epoch in range(25):
    model.train()
    for rows in torch.randperm(len(x_train)).split(50):
        loss = nn.functional.cross_entropy(model(x_train[rows]), y_train[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        accuracy = (model(x_test).argmax(1) == y_test).float().mean().item()
    print(f"epoch {epoch} loss {loss.item():.4f} test accuracy {accuracy:.3f}")
