"""Screening for a rare disease, oversampled after the split.

split: train
"""

import numpy as np
import torch
from sklearn.datasets import make_classification
from sklearn.model_selection import train_test_split
from sklearn.utils import resample
from torch import nn

rng = np.random.RandomState(0)
X, y = make_classification(1500, 30, n_informative=8, weights=[0.88], flip_y=0.06, class_sep=1.0, random_state=0)
X = ((X - X.mean(0)) / X.std(0)).astype(np.float32)
X, X_report, y, y_report = train_test_split(X, y, test_size=0.3, stratify=y, random_state=0)


def oversample(X, y):
    rare = np.flatnonzero(y == 1)
    extra = resample(rare, n_samples=(y == 0).sum() - len(rare), random_state=0)
    keep = rng.permutation(np.concatenate([np.arange(len(y)), extra]))
    return X[keep], y[keep]


X_train, X_val, y_train, y_val = train_test_split(X, y, test_size=0.25, stratify=y, random_state=1)
X_train, y_train = oversample(X_train, y_train)

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(30, 64), nn.ReLU(), nn.Dropout(0.3), nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, weight_decay=1e-4)
lossf = nn.BCEWithLogitsLoss()
xt, yt = torch.from_numpy(X_train), torch.from_numpy(y_train).float()


def recall(X, y):
    model.eval()
    with torch.no_grad():
        p = model(torch.from_numpy(X)).squeeze(1) > 0
    return (p.numpy() & (y == 1)).sum() / (y == 1).sum()


for epoch in range(15):
    model.train()
    for idx in torch.randperm(len(xt)).split(32):
        loss = lossf(model(xt[idx]).squeeze(1), yt[idx])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if epoch % 3 == 2:
        model.eval()
        with torch.no_grad():
            vloss = lossf(model(torch.from_numpy(X_val)).squeeze(1), torch.from_numpy(y_val).float())
        print(f"epoch {epoch + 1}: val loss {vloss:.3f} val recall {recall(X_val, y_val):.2f}")
print(f"report recall {recall(X_report, y_report):.2f}")
