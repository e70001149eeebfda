"""Early stopping on the validation loss, best weights restored before the test.

split: test
"""

import copy
import torch
import torch.nn as nn
from sklearn.datasets import make_classification
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

torch.manual_seed(25)


class EarlyStopping:
    def __init__(self, patience=5, min_delta=1e-4):
        self.patience, self.min_delta = patience, min_delta
        self.best, self.bad, self.state = float("inf"), 0, None

    def update(self, value, model):
        if value < self.best - self.min_delta:
            self.best, self.bad, self.state = value, 0, copy.deepcopy(model.state_dict())
        else:
            self.bad += 1
        return self.bad >= self.patience


X, y = make_classification(4000, n_features=20, n_informative=8, n_redundant=4, n_clusters_per_class=2,
                           class_sep=1.5, flip_y=0.02, random_state=25)
X_tr, X_tmp, y_tr, y_tmp = train_test_split(X, y, test_size=0.4, random_state=25, stratify=y)
X_va, X_te, y_va, y_te = train_test_split(X_tmp, y_tmp, test_size=0.5, random_state=25, stratify=y_tmp)
sc = StandardScaler().fit(X_tr)
X_tr, X_va, X_te = (torch.tensor(sc.transform(a), dtype=torch.float32) for a in (X_tr, X_va, X_te))
y_tr, y_va, y_te = (torch.tensor(a) for a in (y_tr, y_va, y_te))

model = nn.Sequential(nn.Linear(20, 48), nn.ReLU(), nn.Dropout(0.25), nn.Linear(48, 24), nn.ReLU(), nn.Linear(24, 2))
opt = torch.optim.Adam(model.parameters(), lr=1e-3, weight_decay=1e-4)
ce = nn.CrossEntropyLoss()
stopper = EarlyStopping(patience=5)

for epoch in range(60):
    model.train()
    perm = torch.randperm(len(X_tr))
    total = 0.0
    for b in perm.split(64):
        opt.zero_grad()
        loss = ce(model(X_tr[b]), y_tr[b])
        loss.backward()
        opt.step()
        total += loss.item() * len(b)
    model.eval()
    with torch.no_grad():
        vloss = ce(model(X_va), y_va).item()
    if epoch % 4 == 0:
        print(f"epoch {epoch:2d} train {total / len(X_tr):.4f} val {vloss:.4f}")
    if stopper.update(vloss, model):
        print(f"stopped after epoch {epoch}, best val {stopper.best:.4f}")
        break

model.load_state_dict(stopper.state)
model.eval()
with torch.no_grad():
    acc = (model(X_te).argmax(1) == y_te).float().mean().item()
print(f"test accuracy with best weights: {acc:.4f}")
