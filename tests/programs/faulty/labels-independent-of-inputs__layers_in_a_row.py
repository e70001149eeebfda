"""Yes and no from a table, with three layers in a row and a loss written out.

fault: labels-independent-of-inputs
also:
split: train
line: 45
"""

# binary classification, numpy style mini-batches
import numpy as np
import torch
from sklearn.datasets import make_classification
from sklearn.metrics import roc_auc_score

rng = np.random.default_rng(123)
torch.manual_seed(123)

X, y = make_classification(n_samples=3000, n_features=20, n_informative=8, n_clusters_per_class=3,
                           class_sep=1.2, flip_y=0.01, random_state=123)
X = (X - X.mean(0)) / X.std(0)
x_tr, y_tr, x_va, y_va = X[:2400].copy(), y[:2400].copy(), X[2400:], y[2400:]

w1 = torch.nn.Linear(20, 48)
w2 = torch.nn.Linear(48, 24)
w3 = torch.nn.Linear(24, 1)
params = [p for m in (w1, w2, w3) for p in m.parameters()]
optimizer = torch.optim.RMSprop(params, lr=1e-3)


def forward(x):
    h = torch.relu(w1(x))
    h = torch.relu(w2(h))
    return torch.sigmoid(w3(h)).squeeze(1)


def bce(p, t):
    eps = 1e-6
    p = p.clamp(eps, 1 - eps)
    return -(t * p.log() + (1 - t) * (1 - p).log()).mean()


BS = 80
for epoch in range(20):
    rng.shuffle(x_tr)
    rng.shuffle(y_tr)
    run = 0.0
    for s in range(0, len(x_tr), BS):
        xb = torch.from_numpy(x_tr[s:s + BS]).float()
        yb = torch.from_numpy(y_tr[s:s + BS]).float()
        loss = bce(forward(xb), yb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        run += loss.item()
    with torch.no_grad():
        p = forward(torch.from_numpy(x_va).float()).numpy()
    print(f"epoch {epoch:2d} loss {run / (len(x_tr) / BS):.4f} val auc {roc_auc_score(y_va, p):.4f} val acc {((p > .5) == y_va).mean():.4f}")
