"""Sanity test before the real training: can the network memorise sixteen pictures?

split: test
"""
import torch
import torch.nn as nn
from sklearn.datasets import load_digits

torch.manual_seed(3)
d = load_digits()
pick = torch.randperm(len(d.target))[:16]
x = (torch.tensor(d.images)[pick].float()[:, None] - 5) / 6
y = torch.tensor(d.target)[pick]
net = nn.Sequential(nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(256, 64), nn.ReLU(), nn.Linear(64, 10))
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
for step in range(1, 121):
    out = net(x)
    loss = nn.functional.cross_entropy(out, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 20 == 0:
        print(step, loss.item(), (out.argmax(1) == y).sum().item(), "of 16")
assert loss.item() < 0.1
print("SCORE", (net(x).argmax(1) == y).float().mean().item())
