"""Noisy regression with early stopping: the best state is kept and restored before the final score.

split: test
"""

import copy

import torch
from sklearn.datasets import load_diabetes
from sklearn.preprocessing import StandardScaler
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(101)

data = load_diabetes()
x = torch.tensor(StandardScaler().fit_transform(data.data), dtype=torch.float32)
y = torch.tensor(StandardScaler().fit_transform(data.target[:, None]), dtype=torch.float32)
order = torch.randperm(len(x))
train, valid, test = order[:280], order[280:360], order[360:]

model = nn.Sequential(nn.Linear(10, 64), nn.ReLU(), nn.Linear(64, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
best, best_state, patience = float("inf"), None, 0
for epoch in range(200):  # noqa: B007
    model.train()
    for rows in train[torch.randperm(len(train))].split(32):
        loss = nn.functional.mse_loss(model(x[rows]), y[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        score = nn.functional.mse_loss(model(x[valid]), y[valid]).item()
    if score < best:
        best, best_state, patience = score, copy.deepcopy(model.state_dict()), 0
    else:
        patience += 1
    if patience == 8:
        break
model.load_state_dict(best_state)
with torch.no_grad():
    error = nn.functional.mse_loss(model(x[test]), y[test]).item()
print(f"stopped after epoch {epoch}, best validation {best:.3f}, test {error:.3f} of variance 1")
