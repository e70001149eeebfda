"""Rings classifier.

fault: missing-nonlinearity
also:
split: train
line: 25
"""

import torch, torch.nn as nn
from sklearn.datasets import make_circles

torch.manual_seed(1)
X, y = make_circles(1200, noise=0.08, factor=0.4, random_state=1)
X, y = torch.FloatTensor(X), torch.FloatTensor(y)
train_X, train_y, val_X, val_y = X[:900], y[:900], X[900:], y[900:]

class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.inp = nn.Linear(2, 64)
        self.mid = nn.Linear(64, 32)
        self.out = nn.Linear(32, 1)

    def forward(self, x):
        x = self.inp(x)
        x = self.mid(x)
        return self.out(x).squeeze(-1)

model = Classifier()
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for epoch in range(20):
    perm = torch.randperm(len(train_X))
    for i in range(0, len(perm), 60):
        j = perm[i:i + 60]
        optimizer.zero_grad()
        loss = criterion(model(train_X[j]), train_y[j])
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        acc = ((model(val_X) > 0).float() == val_y).float().mean().item()
    print(epoch, loss.item(), acc)
print("SCORE", acc)
