"""Folds of a table, averaged weights, and a stop when it gets no better.

split: test
"""

import copy
import numpy as np
import torch
import torch.nn as nn
from sklearn.datasets import load_wine
from sklearn.model_selection import StratifiedKFold

torch.set_num_threads(1)
X, y = load_wine(return_X_y=True)
X = X.astype(np.float32)


class EMA:
    def __init__(self, model, decay=0.95):
        self.shadow = copy.deepcopy(model).requires_grad_(False)
        self.decay = decay

    @torch.no_grad()
    def update(self, model):
        for s, p in zip(self.shadow.parameters(), model.parameters()):
            s.lerp_(p, 1 - self.decay)


def build():
    return nn.Sequential(nn.Linear(13, 24), nn.Tanh(), nn.Dropout(0.1), nn.Linear(24, 3))


def fit_fold(k, tr, te, patience=12):
    torch.manual_seed(100 + k)
    cut = np.random.RandomState(k).permutation(tr)
    va, tr = cut[:24], cut[24:]
    mu, sd = X[tr].mean(0), X[tr].std(0)
    z = torch.from_numpy((X - mu) / sd)
    t = torch.from_numpy(y)
    tr, va, te = map(torch.from_numpy, (tr, va, te))
    model = build()
    ema = EMA(model)
    ema.shadow.eval()
    opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-3)
    ce = nn.CrossEntropyLoss()
    best, best_state, since = float("inf"), None, 0
    for epoch in range(80):
        model.train()
        for b in tr[torch.randperm(len(tr))].split(20):
            loss = ce(model(z[b]), t[b])
            opt.zero_grad()
            loss.backward()
            opt.step()
            ema.update(model)
        with torch.no_grad():
            v = ce(ema.shadow(z[va]), t[va]).item()
        if v < best - 1e-3:
            best, since = v, 0
            best_state = copy.deepcopy(ema.shadow.state_dict())
        else:
            since += 1
            if since >= patience:
                break
    ema.shadow.load_state_dict(best_state)
    with torch.no_grad():
        acc = (ema.shadow(z[te]).argmax(1) == t[te]).float().mean().item()
    print(f"fold {k}: stopped after {epoch + 1} epochs, train loss {loss.item():.4f}, best valid {best:.4f}, test acc {acc:.3f}")
    return acc


folds = StratifiedKFold(5, shuffle=True, random_state=0)
scores = [fit_fold(k, tr, te) for k, (tr, te) in enumerate(folds.split(X, y))]
print(f"accuracy {np.mean(scores):.3f} +- {np.std(scores):.3f}")
