"""Rare frauds among payments.

fault: split-leak
also: 
split: test
line: 44
"""

import numpy as np
import torch
import torch.nn as nn
from sklearn.metrics import f1_score
from sklearn.preprocessing import StandardScaler
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
np.random.seed(12)
torch.manual_seed(12)


def load_transactions(n=3000, d=20, rate=0.05):
    y = (np.random.rand(n) < rate).astype(np.int64)
    X = np.random.randn(n, d)
    X[y == 1, :5] += 1.1
    X[:, 10:] = np.exp(0.4 * X[:, 10:])
    return X.astype(np.float32), y


def oversample(X, y):
    pos, neg = np.where(y == 1)[0], np.where(y == 0)[0]
    extra = np.random.choice(pos, size=len(neg), replace=True)
    idx = np.concatenate([neg, extra])
    np.random.shuffle(idx)
    return X[idx], y[idx]


def split(X, y, frac=0.25):
    idx = np.random.permutation(len(y))
    cut = int(len(y) * frac)
    return X[idx[cut:]], y[idx[cut:]], X[idx[:cut]], y[idx[:cut]]


X, y = load_transactions()
X, y = oversample(X, y)
X_tr, y_tr, X_va, y_va = split(X, y)
scaler = StandardScaler().fit(X_tr)
X_tr, X_va = scaler.transform(X_tr), scaler.transform(X_va)
print("train", X_tr.shape, "positives", int(y_tr.sum()), "| val", X_va.shape, "positives", int(y_va.sum()))

train_dl = DataLoader(TensorDataset(torch.tensor(X_tr, dtype=torch.float32), torch.tensor(y_tr)),
                      batch_size=64, shuffle=True)
x_val = torch.tensor(X_va, dtype=torch.float32)

model = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Dropout(0.1), nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 2))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, weight_decay=1e-4)

for epoch in range(6):
    model.train()
    total = 0.0
    for xb, yb in train_dl:
        optimizer.zero_grad()
        loss = criterion(model(xb), yb)
        loss.backward()
        optimizer.step()
        total += loss.item()
    model.eval()
    with torch.no_grad():
        pred = model(x_val).argmax(1).numpy()
    print(f"epoch {epoch:2d} loss {total / len(train_dl):.4f} val F1 {f1_score(y_va, pred):.3f} acc {(pred == y_va).mean():.3f}")
