"""Digits as bytes, a two-layer network with tanh units, plain SGD and a hand-written loop.

fault: input-not-scaled
also:
split: train
line: 18
"""

import numpy as np
import torch
from sklearn.datasets import load_digits
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(206)
data = load_digits()
pictures = np.clip(data.data * 16, 0, 255).astype(np.uint8)
x = torch.from_numpy(pictures).float()
y = torch.from_numpy(data.target)
perm = torch.randperm(len(x))
tr, te = perm[:1440], perm[1440:]

net = nn.Sequential(nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 10))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
loss_fn = nn.CrossEntropyLoss()
for epoch in range(12):
    perm = torch.randperm(len(tr))
    for i in range(0, len(tr), 40):
        batch = tr[perm[i : i + 40]]
        opt.zero_grad()
        loss = loss_fn(net(x[batch]), y[batch])
        loss.backward()
        opt.step()
    with torch.no_grad():
        acc = (net(x[te]).argmax(1) == y[te]).double().mean()
    print("epoch", epoch, "loss", round(loss.item(), 4), "acc", round(acc.item(), 3))
