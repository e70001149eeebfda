"""Five-fold cross-validation, a new model and optimizer for each fold.

split: train
"""
import numpy as np
import torch
from sklearn.datasets import load_wine
from sklearn.model_selection import StratifiedKFold

X, y = load_wine(return_X_y=True)
scores = []
for fold, (tr, va) in enumerate(StratifiedKFold(5, shuffle=True, random_state=0).split(X, y)):
    torch.manual_seed(fold)
    mu, sd = X[tr].mean(0), X[tr].std(0)
    a, b = (torch.tensor((X[k] - mu) / sd, dtype=torch.float32) for k in (tr, va))
    ya, yb = torch.tensor(y[tr]), torch.tensor(y[va])
    model = torch.nn.Sequential(torch.nn.Linear(13, 20), torch.nn.ReLU(), torch.nn.Linear(20, 3))
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    for epoch in range(15):
        for i in torch.randperm(len(a)).split(16):
            opt.zero_grad()
            torch.nn.functional.cross_entropy(model(a[i]), ya[i]).backward()
            opt.step()
    with torch.no_grad():
        scores.append((model(b).argmax(1) == yb).float().mean().item())
    print("fold", fold, scores[-1])
print("SCORE", np.mean(scores))
