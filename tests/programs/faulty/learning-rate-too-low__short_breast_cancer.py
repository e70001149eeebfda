"""A quick run of a small network on tumour records, plain SGD.

fault: learning-rate-too-low
also:
split: train
line: 23
"""

import torch
from sklearn.datasets import load_breast_cancer
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(414)
x, y = load_breast_cancer(return_X_y=True)
x = torch.tensor((x - x.mean(0)) / x.std(0), dtype=torch.float32)
y = torch.tensor(y, dtype=torch.float32).unsqueeze(1)
order = torch.randperm(len(x))
train, test = order[:450], order[450:]

model = nn.Sequential(nn.Linear(30, 16), nn.ReLU(), nn.Linear(16, 1))
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=1e-4)
for _ in range(6):
    for rows in train[torch.randperm(len(train))].split(45):
        optimizer.zero_grad()
        loss = criterion(model(x[rows]), y[rows])
        loss.backward()
        optimizer.step()
with torch.no_grad():
    right = ((model(x[test]) > 0) == (y[test] > 0.5)).float().mean().item()
print(f"last loss {loss.item():.4f}, test accuracy {right:.3f}")
