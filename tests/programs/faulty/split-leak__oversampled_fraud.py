"""Frauds that are drawn more often.

fault: split-leak
also: 
split: train
line: 32
"""

import numpy as np
import torch
import torch.nn as nn
from sklearn.datasets import make_classification
from sklearn.metrics import f1_score, precision_score, recall_score
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

SEED = 33


def oversample(X, y, rng):
    pos = np.flatnonzero(y == 1)
    neg = np.flatnonzero(y == 0)
    extra = rng.choice(pos, size=len(neg) - len(pos), replace=True)
    rows = rng.permutation(np.concatenate([pos, neg, extra]))
    return X[rows], y[rows]


def prepare():
    rng = np.random.default_rng(SEED)
    X, y = make_classification(n_samples=3000, n_features=20, n_informative=8, n_redundant=2,
                               weights=[0.93], flip_y=0.02, class_sep=1.2, random_state=SEED)
    X, y = oversample(X, y, rng)
    X_tr, X_va, y_tr, y_va = train_test_split(X, y, test_size=0.25, random_state=SEED, stratify=y)
    scaler = StandardScaler().fit(X_tr)
    to = lambda a: torch.tensor(a, dtype=torch.float32)
    return to(scaler.transform(X_tr)), to(y_tr), to(scaler.transform(X_va)), to(y_va)


class FraudNet(nn.Module):
    def __init__(self, n_features):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(n_features, 64), nn.ReLU(), nn.Dropout(0.2),
            nn.Linear(64, 32), nn.ReLU(),
            nn.Linear(32, 1),
        )

    def forward(self, x):
        return self.net(x).squeeze(1)


def report(model, X, y):
    model.eval()
    with torch.no_grad():
        logits = model(X)
        loss = nn.functional.binary_cross_entropy_with_logits(logits, y).item()
    pred = (logits > 0).numpy().astype(int)
    t = y.numpy().astype(int)
    return loss, precision_score(t, pred, zero_division=0), recall_score(t, pred), f1_score(t, pred)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(SEED)
    X_tr, y_tr, X_va, y_va = prepare()
    print("train rows", len(X_tr), "validation rows", len(X_va))
    model = FraudNet(X_tr.shape[1])
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=1e-2)
    criterion = nn.BCEWithLogitsLoss()
    for epoch in range(1, 13):
        model.train()
        total = 0.0
        for rows in torch.randperm(len(X_tr)).split(128):
            loss = criterion(model(X_tr[rows]), y_tr[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * len(rows)
        if epoch % 3 == 0:
            vl, p, r, f = report(model, X_va, y_va)
            print(f"epoch {epoch:2d} train {total / len(X_tr):.4f} val {vl:.4f} P {p:.3f} R {r:.3f} F1 {f:.3f}")


if __name__ == "__main__":
    main()
