"""Nets of five folds that vote on diabetes.

split: test
"""

# 5-fold CV on the diabetes data, predictions on a final hold-out are averaged over the folds.
import copy

import numpy as np
import torch
from sklearn.datasets import load_diabetes
from sklearn.linear_model import RidgeCV
from sklearn.metrics import r2_score
from sklearn.model_selection import KFold, train_test_split
from torch import nn

SEED = 2023
torch.set_num_threads(1)
torch.manual_seed(SEED)
np.random.seed(SEED)


def fit(x, y, xv, yv, max_epochs=150, patience=15):
    net = nn.Sequential(nn.Linear(x.shape[1], 32), nn.SiLU(), nn.Dropout(0.2), nn.Linear(32, 1))
    opt = torch.optim.Adam(net.parameters(), lr=5e-3, weight_decay=1e-3)
    best, best_state, wait = float("inf"), None, 0
    for epoch in range(max_epochs):
        net.train()
        for idx in torch.randperm(len(x)).split(32):
            opt.zero_grad()
            loss = nn.functional.mse_loss(net(x[idx]).squeeze(1), y[idx])
            loss.backward()
            opt.step()
        net.eval()
        with torch.no_grad():
            val = nn.functional.mse_loss(net(xv).squeeze(1), yv).item()
        if val < best - 1e-4:
            best, best_state, wait = val, copy.deepcopy(net.state_dict()), 0
        else:
            wait += 1
            if wait >= patience:
                break
    net.load_state_dict(best_state)
    net.eval()
    return net, best, epoch + 1


X, y = load_diabetes(return_X_y=True)
X_dev, X_hold, y_dev, y_hold = train_test_split(X, y, test_size=0.2, random_state=SEED)
hold_preds, cv_scores = [], []
for fold, (tr, va) in enumerate(KFold(5, shuffle=True, random_state=SEED).split(X_dev)):
    mu, sd = X_dev[tr].mean(0), X_dev[tr].std(0)
    ym, ys = y_dev[tr].mean(), y_dev[tr].std()
    t = lambda a: torch.tensor((a - mu) / sd, dtype=torch.float32)
    ty = lambda a: torch.tensor((a - ym) / ys, dtype=torch.float32)
    net, best, n = fit(t(X_dev[tr]), ty(y_dev[tr]), t(X_dev[va]), ty(y_dev[va]))
    with torch.no_grad():
        hold_preds.append(net(t(X_hold)).squeeze(1).numpy() * ys + ym)
    cv_scores.append(1 - best)
    print(f"fold {fold}: stopped after {n} epochs, val mse {best:.4f}")

print("cv R2 about", np.round(np.mean(cv_scores), 3))
print("hold-out R2 of the ensemble", round(r2_score(y_hold, np.mean(hold_preds, 0)), 3))
print("hold-out R2 of ridge       ", round(r2_score(y_hold, RidgeCV().fit(X_dev, y_dev).predict(X_hold)), 3))
