"""Each parameter has an optimizer that steps inside of the backward pass.

split: train
"""

import torch
from torch import nn
from sklearn.datasets import load_digits

torch.manual_seed(0)
X, y = load_digits(return_X_y=True)
X, y = torch.tensor(X / 16, dtype=torch.float32), torch.tensor(y)
net = nn.Sequential(nn.LazyLinear(64), nn.ReLU(), nn.LazyLinear(10))
net(X[:2])
opts = {p: torch.optim.Adam([p], lr=2e-3) for p in net.parameters()}


def hook(p):
    opts[p].step()
    opts[p].zero_grad()


for p in net.parameters():
    p.register_post_accumulate_grad_hook(hook)
for ep in range(10):
    for b in torch.randperm(1400).split(50):
        loss = nn.functional.cross_entropy(net(X[b]), y[b])
        loss.backward()
    with torch.no_grad():
        print(ep, loss.item(), (net(X[1400:]).argmax(1) == y[1400:]).float().mean().item())
