"""Stratified cross-validation of an iris network.

fault: optimizer-missing-parameters
also:
split: test
line: 34
"""
import numpy as np
import torch
from torch import nn
from sklearn.datasets import load_iris
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler

torch.manual_seed(12)
torch.set_num_threads(1)
X, y = load_iris(return_X_y=True)


def make_model():
    return nn.Sequential(nn.Linear(4, 24), nn.ReLU(), nn.Linear(24, 3))


model = make_model()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
criterion = nn.CrossEntropyLoss()
results = []
for k, (tr, te) in enumerate(StratifiedKFold(5, shuffle=True, random_state=0).split(X, y)):
    scaler = StandardScaler().fit(X[tr])
    xtr = torch.tensor(scaler.transform(X[tr]), dtype=torch.float32)
    xte = torch.tensor(scaler.transform(X[te]), dtype=torch.float32)
    ytr = torch.tensor(y[tr])
    if k > 0:
        model = make_model()
    for epoch in range(60):
        for b in torch.randperm(len(xtr)).split(24):
            optimizer.zero_grad()
            loss = criterion(model(xtr[b]), ytr[b])
            loss.backward()
            optimizer.step()
    with torch.no_grad():
        acc = np.mean(model(xte).argmax(1).numpy() == y[te])
    results.append(acc)
    print(f"fold {k}: loss {loss.item():.4f} accuracy {acc:.4f}")
print(f"mean accuracy {np.mean(results):.4f}")
