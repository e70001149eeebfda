"""Rare-event detection with pos_weight, judged by average precision and recall.

split: test
"""
import numpy as np
import torch
from sklearn.datasets import make_classification
from sklearn.metrics import average_precision_score, recall_score
from torch.utils.data import DataLoader, TensorDataset

np.random.seed(0)
torch.manual_seed(0)
torch.set_num_threads(1)
X, y = make_classification(6000, 20, n_informative=8, n_redundant=2, weights=[0.97], class_sep=2.2, flip_y=0.002, random_state=3)
cut = 4500
mu, sd = X[:cut].mean(0), X[:cut].std(0)
X = torch.tensor((X - mu) / sd, dtype=torch.float32)
y = torch.tensor(y, dtype=torch.float32)
pos_weight = (y[:cut] == 0).sum() / (y[:cut] == 1).sum()
crit = torch.nn.BCEWithLogitsLoss(pos_weight=pos_weight.sqrt())
net = torch.nn.Sequential(torch.nn.Linear(20, 64), torch.nn.BatchNorm1d(64), torch.nn.ReLU(), torch.nn.Dropout(0.2), torch.nn.Linear(64, 1))
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
loader = DataLoader(TensorDataset(X[:cut], y[:cut]), 128, shuffle=True, drop_last=True)
for epoch in range(10):
    net.train()
    for xb, yb in loader:
        opt.zero_grad()
        loss = crit(net(xb).squeeze(-1), yb)
        loss.backward()
        opt.step()
    net.eval()
    with torch.no_grad():
        z = net(X[cut:]).squeeze(-1)
    ap = average_precision_score(y[cut:], z)
    print(f"epoch {epoch} loss {loss.item():.4f} AP {ap:.4f} recall {recall_score(y[cut:], z > 0):.4f}")
