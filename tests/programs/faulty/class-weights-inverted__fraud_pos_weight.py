"""A multilayer perceptron looks for fraud.

fault: class-weights-inverted
also: class-imbalance
split: test
line: 61
"""

import numpy as np
import torch
from sklearn.datasets import make_classification
from sklearn.metrics import f1_score, recall_score
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
SEED = 101
torch.manual_seed(SEED)
np.random.seed(SEED)


def prepare():
    X, y = make_classification(n_samples=4000, n_features=20, n_informative=8, n_redundant=2, weights=[0.92],
                               class_sep=1.2, n_clusters_per_class=1, flip_y=0.01, random_state=SEED)
    X_tr, X_te, y_tr, y_te = train_test_split(X, y, test_size=0.25, stratify=y, random_state=SEED)
    sc = StandardScaler().fit(X_tr)
    return sc.transform(X_tr), sc.transform(X_te), y_tr, y_te


class FraudNet(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(d, 48), nn.ReLU(), nn.Dropout(0.1),
            nn.Linear(48, 24), nn.ReLU(), nn.Dropout(0.1),
            nn.Linear(24, 1),
        )

    def forward(self, x):
        return self.net(x).squeeze(1)


def evaluate(model, X, y):
    model.eval()
    with torch.no_grad():
        p = torch.sigmoid(model(X)).numpy()
    pred = (p > 0.5).astype(int)
    return (pred == y).mean(), recall_score(y, pred, zero_division=0), f1_score(y, pred, zero_division=0)


if __name__ == "__main__":
    X_tr, X_te, y_tr, y_te = prepare()
    X_te_t = torch.tensor(X_te, dtype=torch.float32)
    ds = TensorDataset(torch.tensor(X_tr, dtype=torch.float32), torch.tensor(y_tr, dtype=torch.float32))
    loader = DataLoader(ds, batch_size=128, shuffle=True)

    n_pos, n_neg = y_tr.sum(), (1 - y_tr).sum()
    print(f"{int(n_pos)} fraud / {int(n_neg)} legitimate")
    pos_weight = torch.tensor(n_pos / n_neg, dtype=torch.float32)
    criterion = nn.BCEWithLogitsLoss(pos_weight=pos_weight)
    model = FraudNet(X_tr.shape[1])
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=1e-3)

    for epoch in range(1, 16):
        model.train()
        total = 0.0
        for xb, yb in loader:
            optimizer.zero_grad()
            loss = criterion(model(xb), yb)
            loss.backward()
            optimizer.step()
            total += loss.item() * len(xb)
        if epoch % 3 == 0:
            acc, rec, f1 = evaluate(model, X_te_t, y_te)
            print(f"epoch {epoch:2d} loss {total / len(ds):.4f} acc {acc:.3f} recall {rec:.3f} f1 {f1:.3f}")
