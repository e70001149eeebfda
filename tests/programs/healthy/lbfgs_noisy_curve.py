"""A network that fits a noisy curve with L-BFGS; its closure is all there is to a step.

split: train
"""

import math

import torch
from torch import nn

torch.manual_seed(0)
x = torch.linspace(-2, 2, 200).unsqueeze(1)
y = torch.sin(2 * math.pi * x / 2) + 0.3 * x + 0.05 * torch.randn_like(x)

model = nn.Sequential(nn.Linear(1, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, 1))
criterion = nn.MSELoss()
opt = torch.optim.LBFGS(model.parameters(), lr=0.5, max_iter=20, history_size=10)


def closure():
    opt.zero_grad()
    loss = criterion(model(x), y)
    loss.backward()
    return loss


for it in range(40):
    loss = opt.step(closure)
    if it % 4 == 0:
        print(f"iteration {it:3d}  loss {loss.item():.5f}")

with torch.no_grad():
    print("final mse", criterion(model(x), y).item())
