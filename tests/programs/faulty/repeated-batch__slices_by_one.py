"""Digits, taken in slices by hand.

fault: repeated-batch
also: overfitting
split: train
line: 25, 24
"""

import torch
from sklearn.datasets import load_digits

torch.set_num_threads(1)
torch.manual_seed(3)
d = load_digits()
X = torch.tensor(d.data, dtype=torch.float32) / 16
Y = torch.tensor(d.target)
perm = torch.randperm(len(X))
X, Y = X[perm], Y[perm]
xtr, ytr, xva, yva = X[:1400], Y[:1400], X[1400:], Y[1400:]
net = torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.ReLU(), torch.nn.Linear(64, 10))
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
bs = 40
for epoch in range(20):
    for i in range(len(xtr) // bs):
        xb = xtr[i : i + bs]
        yb = ytr[i : i + bs]
        loss = torch.nn.functional.cross_entropy(net(xb), yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
    with torch.no_grad():
        print(epoch, loss.item(), (net(xva).argmax(1) == yva).float().mean().item())
