"""Fits a noisy sine with LBFGS and a closure on the whole data set.

split: train
"""

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(2)
x = torch.linspace(-3, 3, 200).unsqueeze(1)
y = torch.sin(2 * x) + 0.05 * torch.randn_like(x)
net = nn.Sequential(nn.Linear(1, 24), nn.Tanh(), nn.Linear(24, 1))
optimizer = torch.optim.LBFGS(net.parameters(), lr=1.0, max_iter=20, line_search_fn="strong_wolfe")


def closure():
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(net(x), y)
    loss.backward()
    return loss


for step in range(25):
    loss = optimizer.step(closure)
    print(f"step {step} loss {loss.item():.5f}")
with torch.no_grad():
    print(f"error against the true curve {((net(x) - torch.sin(2 * x)) ** 2).mean():.5f}")
