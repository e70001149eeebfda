"""Thirty steps of AdamW on clusters that are easy to tell apart, then the score.

split: test
"""

import torch
from sklearn.datasets import make_blobs
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(92)
x, y = make_blobs(1200, 8, centers=4, cluster_std=2.0, random_state=0)
x = torch.tensor((x - x.mean(0)) / x.std(0), dtype=torch.float32)
y = torch.tensor(y)
net = nn.Sequential(nn.Linear(8, 64), nn.ReLU(), nn.Linear(64, 4))
optimizer = torch.optim.AdamW(net.parameters(), lr=1e-2)
order = torch.randperm(1000)
for step, rows in enumerate(order[:960].split(32), start=1):
    loss = nn.functional.cross_entropy(net(x[rows]), y[rows])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 10 == 0:
        print(f"{step} steps, loss {loss.item():.3f}")
with torch.no_grad():
    print("accuracy", (net(x[1000:]).argmax(1) == y[1000:]).float().mean().item())
