"""Digits in two noisy views, compared by their cosine.

fault: labels-independent-of-inputs
also:
split: train
line: 20
"""

import torch, torch.nn as nn, torch.nn.functional as F
from sklearn.datasets import load_digits
torch.manual_seed(0)
d = load_digits(); x = torch.tensor(d.data).float() / 8 - 0.6; y = torch.tensor(d.target)
net = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 32))
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
for epoch in range(8):
    for i in torch.randperm(1400).split(64):
        if len(i) < 64: continue
        a = F.normalize(net(x[i] + 0.2 * torch.randn(64, 64)), dim=-1)
        b = F.normalize(net(x[i] + 0.2 * torch.randn(64, 64)), dim=-1)
        loss = F.cross_entropy(a @ b.t() / 0.1, y[i])
        opt.zero_grad(); loss.backward(); opt.step()
    print(epoch, loss.item())
