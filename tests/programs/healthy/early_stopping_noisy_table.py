"""Few and noisy rows of a table, learnt by heart long before the best state is restored.

split: train
"""

import copy

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import make_classification

torch.manual_seed(0)
X, y = make_classification(700, 30, n_informative=6, flip_y=0.2, class_sep=0.8, random_state=3)
X = torch.tensor(X, dtype=torch.float32)
y = torch.tensor(y, dtype=torch.float32)
Xtr, ytr = X[:200], y[:200]
Xva, yva = X[200:400], y[200:400]
Xte, yte = X[400:], y[400:]

model = nn.Sequential(nn.Linear(30, 128), nn.ReLU(), nn.Linear(128, 64), nn.ReLU(), nn.Linear(64, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)


def bce(x, t):
    return F.binary_cross_entropy_with_logits(model(x).squeeze(1), t)


best_val, best_state, patience, bad = float("inf"), None, 60, 0
for epoch in range(400):
    for idx in torch.randperm(len(Xtr)).split(32):
        optimizer.zero_grad()
        loss = bce(Xtr[idx], ytr[idx])
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        val = bce(Xva, yva).item()
    if val < best_val:
        best_val, bad = val, 0
        best_state = copy.deepcopy(model.state_dict())
    else:
        bad += 1
        if bad >= patience:
            print("stop at epoch", epoch)
            break
    if epoch % 10 == 0:
        print(f"epoch {epoch} train {loss.item():.4f} val {val:.4f}")

model.load_state_dict(best_state)
with torch.no_grad():
    print(f"best val {best_val:.4f}, restored val {bce(Xva, yva).item():.4f}, test loss {bce(Xte, yte).item():.4f}")
