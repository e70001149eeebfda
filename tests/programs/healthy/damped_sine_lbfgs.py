"""Full-batch curve fit with LBFGS.

split: train
"""
import torch
from torch import nn

torch.manual_seed(0)
x = torch.linspace(-3, 3, 200)[:, None]
y = torch.sin(2 * x) * torch.exp(-0.2 * x ** 2) + 0.02 * torch.randn_like(x)
net = nn.Sequential(nn.Linear(1, 24), nn.Tanh(), nn.Linear(24, 24), nn.Tanh(), nn.Linear(24, 1))
opt = torch.optim.LBFGS(net.parameters(), lr=1.0, max_iter=12, line_search_fn="strong_wolfe")


def closure():
    opt.zero_grad()
    loss = nn.functional.mse_loss(net(x), y)
    loss.backward()
    return loss


for it in range(15):
    loss = opt.step(closure)
    print(it, loss.item())
print("SCORE", -loss.item())
