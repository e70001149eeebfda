"""Ten hidden layers on the digits, a depth study.

fault: vanishing-gradient
also:
split: test
line: 22
"""
import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(3)
X, y = load_digits(return_X_y=True)
X = (X - X.mean()) / X.std()
Xtr, Xte, ytr, yte = train_test_split(X, y, test_size=0.25, random_state=3, stratify=y)
train = DataLoader(TensorDataset(torch.tensor(Xtr).float(), torch.tensor(ytr)), batch_size=64, shuffle=True)
Xte, yte = torch.tensor(Xte).float(), torch.tensor(yte)

DEPTH, WIDTH = 10, 48
act = nn.Sigmoid


def tower():
    layers, width = [], 64
    for _ in range(DEPTH):
        lin = nn.Linear(width, WIDTH)
        nn.init.kaiming_normal_(lin.weight)
        nn.init.zeros_(lin.bias)
        layers += [lin, act()]
        width = WIDTH
    return nn.Sequential(*layers, nn.Linear(width, 10))


net = tower()
opt = torch.optim.SGD(net.parameters(), lr=0.02, momentum=0.9)
lossf = nn.CrossEntropyLoss()
for epoch in range(12):
    net.train()
    total = 0.0
    for xb, yb in train:
        opt.zero_grad()
        loss = lossf(net(xb), yb)
        loss.backward()
        opt.step()
        total += loss.item() * len(xb)
    net.eval()
    with torch.no_grad():
        acc = (net(Xte).argmax(1) == yte).float().mean().item()
    print(f"epoch {epoch:2d}  train loss {total / len(Xtr):.4f}  test acc {acc:.3f}")
print("SCORE", acc)
