"""Three folds of the wines, an epoch in a function of its own.

fault: parameters-reset
also:
split: train
line: 49
"""

import numpy as np
import torch
import torch.nn as nn
from sklearn.datasets import load_wine
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler


def init_weights(m):
    if isinstance(m, nn.Linear):
        nn.init.kaiming_normal_(m.weight, nonlinearity="relu")
        nn.init.zeros_(m.bias)


def run_epoch(model, opt, X, y, batch_size=16):
    lossfn = nn.CrossEntropyLoss()
    order = np.random.permutation(len(X))
    total = 0
    for s in range(0, len(X), batch_size):
        j = order[s:s + batch_size]
        opt.zero_grad()
        loss = lossfn(model(X[j]), y[j])
        loss.backward()
        opt.step()
        total += loss.item()
    return total


np.random.seed(0)
torch.manual_seed(0)
data, target = load_wine(return_X_y=True)
scores = []
for fold, (tr, te) in enumerate(StratifiedKFold(3, shuffle=True, random_state=0).split(data, target)):
    scale = StandardScaler().fit(data[tr])
    Xtr = torch.tensor(scale.transform(data[tr]), dtype=torch.float)
    Xte = torch.tensor(scale.transform(data[te]), dtype=torch.float)
    ytr, yte = torch.tensor(target[tr]), torch.tensor(target[te])
    model = nn.Sequential(nn.Linear(13, 24), nn.ReLU(), nn.Linear(24, 3))
    opt = torch.optim.SGD(model.parameters(), lr=0.005, momentum=0.9)
    for epoch in range(30):
        model.apply(init_weights)
        total = run_epoch(model, opt, Xtr, ytr)
    with torch.no_grad():
        acc = (model(Xte).argmax(1) == yte).float().mean().item()
    scores.append(acc)
    print(f"fold {fold}: last loss {total:.3f} accuracy {acc:.3f}")
print("mean", np.mean(scores))
