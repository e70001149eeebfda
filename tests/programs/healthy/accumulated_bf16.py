"""Accumulated bf16.

split: test
"""

import torch
import torch.nn as nn
from sklearn.datasets import load_digits

torch.manual_seed(0)
d = load_digits()
x = torch.tensor(d.images, dtype=torch.float32)[:, None] / 8 - 0.6
y = torch.tensor(d.target)
net = nn.Sequential(nn.Conv2d(1, 16, 3), nn.GELU(), nn.Conv2d(16, 24, 3), nn.GELU(), nn.Flatten(), nn.Linear(24 * 16, 10))
opt = torch.optim.AdamW(net.parameters(), lr=2e-3)
ACC = 4
for epoch in range(4):
    micro = torch.randperm(1400).split(16)
    opt.zero_grad()
    for i, idx in enumerate(micro):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            loss = nn.functional.cross_entropy(net(x[idx]), y[idx]) / ACC
        loss.backward()
        if (i + 1) % ACC == 0 or i + 1 == len(micro):
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()
            opt.zero_grad()
    with torch.no_grad():
        acc = (net(x[1400:]).argmax(1) == y[1400:]).float().mean().item()
    print(epoch, loss.item() * ACC, acc)
print("SCORE", acc)
