"""A digit MLP that keeps its losses to plot them later.

fault: graph-kept-alive
also:
split: train
line: 30
"""

import torch
from sklearn.datasets import load_digits
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(59)
digits = load_digits()
x = torch.tensor(digits.data, dtype=torch.float32) / 8 - 1
y = torch.tensor(digits.target)

model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
history = []

for epoch in range(8):
    for rows in torch.randperm(len(x)).split(64):
        optimizer.zero_grad()
        loss = criterion(model(x[rows]), y[rows])
        loss.backward()
        optimizer.step()
        history.append(loss)
    recent = history[-20:]
    print(f"epoch {epoch}: mean of the last {len(recent)} losses {float(sum(recent) / len(recent)):.4f}")
print(f"best loss {float(min(history)):.4f} after {len(history)} steps")
