"""Decisions learnt by policy gradient, from what each of them costs.

split: train
"""

import torch
from torch import nn

torch.manual_seed(2)
torch.set_num_threads(1)
net = nn.Sequential(nn.Linear(3, 32), nn.ReLU(), nn.Linear(32, 5))
target = torch.randn(3, 5)
opt = torch.optim.Adam(net.parameters(), 3e-3)
for step in range(300):
    x = torch.randn(64, 3)
    d = torch.distributions.Categorical(logits=net(x))
    a = d.sample()
    cost = -(x @ target).gather(1, a[:, None]).squeeze(1)
    loss = (d.log_prob(a) * (cost - cost.mean())).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 100 == 0:
        print(step, cost.mean().item())
