"""Breast cancer: small regularised network, gradient accumulation, best checkpoint kept.

split: train
"""
import copy

import torch
import torch.nn as nn
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

torch.manual_seed(4)
x, y = load_breast_cancer(return_X_y=True)
x_tmp, x_test, y_tmp, y_test = train_test_split(x, y, test_size=0.2, stratify=y, random_state=1)
x_train, x_val, y_train, y_val = train_test_split(x_tmp, y_tmp, test_size=0.2, stratify=y_tmp, random_state=1)
scaler = StandardScaler().fit(x_train)
f32 = lambda a: torch.tensor(a, dtype=torch.float32)
x_train, x_val, x_test = (f32(scaler.transform(a)) for a in (x_train, x_val, x_test))
y_train, y_val, y_test = f32(y_train), f32(y_val), f32(y_test)

net = nn.Sequential(nn.Linear(30, 8), nn.ReLU(), nn.Dropout(0.1), nn.Linear(8, 1))
opt = torch.optim.AdamW(net.parameters(), lr=3e-3, weight_decay=0.1)
bce = nn.BCEWithLogitsLoss()
ACCUM = 2
best, best_state, patience = float("inf"), None, 0
for epoch in range(80):
    net.train()
    batches = torch.randperm(len(x_train)).split(16)
    batches = batches[:len(batches) // ACCUM * ACCUM]
    opt.zero_grad()
    for k, idx in enumerate(batches):
        loss = bce(net(x_train[idx]).squeeze(1), y_train[idx]) / ACCUM
        loss.backward()
        if (k + 1) % ACCUM == 0:
            opt.step()
            opt.zero_grad()
    net.eval()
    with torch.no_grad():
        val = bce(net(x_val).squeeze(1), y_val).item()
    if val < best - 1e-4:
        best, best_state, patience = val, copy.deepcopy(net.state_dict()), 0
    else:
        patience += 1
    if epoch % 10 == 0:
        print(f"epoch {epoch:2d} train {loss.item() * ACCUM:.4f} val {val:.4f}")
    if patience >= 12:
        print("early stop at", epoch)
        break
net.load_state_dict(best_state)
with torch.no_grad():
    acc = ((net(x_test).squeeze(1) > 0) == y_test.bool()).float().mean().item()
print(f"score {acc:.4f}")
