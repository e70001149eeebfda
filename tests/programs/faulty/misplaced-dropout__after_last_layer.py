"""Regression of a smooth function by a network with dropout.

fault: misplaced-dropout
also: excessive-dropout
split: train
line: 23
"""

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(120)
x = torch.randn(1500, 6)
y = 2 + x[:, :1].sin() + x[:, 1:2] * x[:, 2:3]
y = y / y.std()
model = nn.Sequential(
    nn.Linear(6, 64),
    nn.ReLU(),
    nn.Linear(64, 64),
    nn.ReLU(),
    nn.Linear(64, 1),
    nn.Dropout(0.5),
)
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
criterion = nn.MSELoss()
for epoch in range(15):
    model.train()
    for rows in torch.randperm(1200).split(40):
        optimizer.zero_grad()
        loss = criterion(model(x[rows]), y[rows])
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        error = criterion(model(x[1200:]), y[1200:]).item()
    print(f"epoch {epoch} train {loss.item():.4f} test {error:.4f}")
