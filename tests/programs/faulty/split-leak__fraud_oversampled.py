"""Fraud is rare and oversampled.

fault: split-leak
also: 
split: test
line: 39
"""

import numpy as np
import torch
import torch.nn as nn
from sklearn.datasets import make_classification
from sklearn.metrics import f1_score

torch.set_num_threads(1)
torch.manual_seed(7)
np.random.seed(7)


def oversample(X, y):
    pos, neg = np.where(y == 1)[0], np.where(y == 0)[0]
    extra = np.random.choice(pos, size=len(neg) - len(pos), replace=True)
    keep = np.concatenate([neg, pos, extra])
    np.random.shuffle(keep)
    return X[keep], y[keep]


def split(X, y, frac=0.75):
    order = np.random.permutation(len(X))
    n = int(frac * len(X))
    a, b = order[:n], order[n:]
    return X[a], y[a], X[b], y[b]


X, y = make_classification(
    n_samples=3000, n_features=20, n_informative=6, n_redundant=0,
    n_clusters_per_class=2, weights=[0.92], flip_y=0.01, class_sep=1.7, random_state=7)

X, y = oversample(X, y)
X_tr, y_tr, X_va, y_va = split(X, y)

mean, std = X_tr.mean(0), X_tr.std(0)
X_tr, X_va = (X_tr - mean) / std, (X_va - mean) / std
X_tr, X_va = torch.tensor(X_tr).float(), torch.tensor(X_va).float()
y_tr_t = torch.tensor(y_tr).long()
y_va_t = torch.tensor(y_va).long()

net = nn.Sequential(
    nn.Linear(20, 64), nn.ReLU(), nn.Dropout(0.2),
    nn.Linear(64, 32), nn.ReLU(),
    nn.Linear(32, 2),
)
opt = torch.optim.Adam(net.parameters(), lr=2e-3, weight_decay=1e-4)
ce = nn.CrossEntropyLoss()
print("train", len(X_tr), "valid", len(X_va))

for epoch in range(12):
    net.train()
    tot = 0.0
    for b in torch.randperm(len(X_tr)).split(64):
        loss = ce(net(X_tr[b]), y_tr_t[b])
        opt.zero_grad()
        loss.backward()
        opt.step()
        tot += loss.item() * len(b)
    net.eval()
    with torch.no_grad():
        out = net(X_va)
        vl = ce(out, y_va_t).item()
        f1 = f1_score(y_va, out.argmax(1).numpy())
    print(f"epoch {epoch + 1:2d} train loss {tot / len(X_tr):.3f} valid loss {vl:.3f} valid F1 {f1:.3f}")
