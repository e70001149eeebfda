"""MLP on the breast cancer table, with a DataLoader and a held-out test set.

split: test
"""

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

torch.manual_seed(0)
np.random.seed(0)

X, y = load_breast_cancer(return_X_y=True)
X_tr, X_te, y_tr, y_te = train_test_split(X, y, test_size=0.25, stratify=y, random_state=0)
X_tr, X_va, y_tr, y_va = train_test_split(X_tr, y_tr, test_size=0.2, stratify=y_tr, random_state=0)
scaler = StandardScaler().fit(X_tr)


def to_ds(X, y):
    return TensorDataset(torch.tensor(scaler.transform(X), dtype=torch.float32),
                         torch.tensor(y, dtype=torch.float32))


train_dl = DataLoader(to_ds(X_tr, y_tr), batch_size=32, shuffle=True)
val_dl = DataLoader(to_ds(X_va, y_va), batch_size=128)
test_dl = DataLoader(to_ds(X_te, y_te), batch_size=128)


class Net(nn.Module):
    def __init__(self, d_in, hidden=16, p=0.3):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(d_in, hidden), nn.ReLU(), nn.Dropout(p),
            nn.Linear(hidden, 8), nn.ReLU(),
        )
        self.head = nn.Linear(8, 1)

    def forward(self, x):
        return self.head(self.body(x)).squeeze(-1)


model = Net(X.shape[1])
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=0.5)
EPOCHS = 30
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, EPOCHS)


def evaluate(dl):
    model.eval()
    loss, hit, n = 0.0, 0, 0
    with torch.no_grad():
        for xb, yb in dl:
            out = model(xb)
            loss += criterion(out, yb).item() * len(yb)
            hit += ((out > 0).float() == yb).sum().item()
            n += len(yb)
    return loss / n, hit / n


for epoch in range(EPOCHS):
    model.train()
    total = 0.0
    for xb, yb in train_dl:
        optimizer.zero_grad()
        loss = criterion(model(xb), yb)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(yb)
    scheduler.step()
    if (epoch + 1) % 3 == 0:
        vl, va = evaluate(val_dl)
        print(f"epoch {epoch + 1:3d} train {total / len(train_dl.dataset):.4f} val {vl:.4f} acc {va:.3f}")

tl, ta = evaluate(test_dl)
print(f"test loss {tl:.4f} test acc {ta:.4f}")
