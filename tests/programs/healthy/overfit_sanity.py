"""Sanity check: a small net must memorise thirty-two random labels.

split: test
"""
import torch
from torch import nn

torch.manual_seed(2)
torch.set_num_threads(1)
x = torch.randn(32, 20)
y = torch.randint(0, 5, (32,))
net = nn.Sequential(nn.Linear(20, 128), nn.ReLU(), nn.Linear(128, 5))
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
for i in range(400):
    opt.zero_grad()
    loss = nn.CrossEntropyLoss()(net(x), y)
    loss.backward()
    opt.step()
    if i % 80 == 0:
        print(i, loss.item())
print("memorised", (net(x).argmax(1) == y).float().mean().item(), "final loss", loss.item())
