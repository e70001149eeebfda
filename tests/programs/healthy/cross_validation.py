"""5-fold stratified cross-validation; a fresh model, scaler and optimizer in each fold.

split: test
"""

import numpy as np
import torch
from torch import nn
from sklearn.datasets import load_wine
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from torch.utils.data import DataLoader, TensorDataset

X, y = load_wine(return_X_y=True)


def build():
    return nn.Sequential(nn.Linear(13, 16), nn.Tanh(), nn.Linear(16, 3))


def train_fold(fold, tr, va):
    torch.manual_seed(100 + fold)
    pre = make_pipeline(StandardScaler()).fit(X[tr])
    xt = torch.tensor(pre.transform(X[tr]), dtype=torch.float32)
    xv = torch.tensor(pre.transform(X[va]), dtype=torch.float32)
    yt, yv = torch.tensor(y[tr]), torch.tensor(y[va])
    loader = DataLoader(TensorDataset(xt, yt), batch_size=16, shuffle=True)
    net = build()
    opt = torch.optim.Adam(net.parameters(), lr=5e-3, weight_decay=1e-3)
    ce = nn.CrossEntropyLoss()
    for epoch in range(30):
        net.train()
        ep = 0.0
        for xb, yb in loader:
            loss = ce(net(xb), yb)
            opt.zero_grad()
            loss.backward()
            opt.step()
            ep += loss.item() * len(yb)
    net.eval()
    with torch.no_grad():
        out = net(xv)
        return ep / len(yt), ce(out, yv).item(), (out.argmax(1) == yv).float().mean().item()


if __name__ == "__main__":
    accs = []
    for fold, (tr, va) in enumerate(StratifiedKFold(5, shuffle=True, random_state=0).split(X, y)):
        tl, vl, acc = train_fold(fold, tr, va)
        accs.append(acc)
        print(f"fold {fold}: train loss {tl:.4f} val loss {vl:.4f} val acc {acc:.4f}")
    print(f"CV accuracy {np.mean(accs):.4f} +- {np.std(accs):.4f}")
