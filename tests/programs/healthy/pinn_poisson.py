"""A physics-informed network solves u'' = -pi^2 sin(pi x) with zero boundaries, through second derivatives.

split: test
"""

import math

import torch

torch.set_num_threads(1)
torch.manual_seed(80)

net = torch.nn.Sequential(
    torch.nn.Linear(1, 32), torch.nn.Tanh(), torch.nn.Linear(32, 32), torch.nn.Tanh(), torch.nn.Linear(32, 1)
)
optimizer = torch.optim.Adam(net.parameters(), lr=3e-3)
ends = torch.tensor([[0.0], [1.0]])
for step in range(900):
    x = torch.rand(64, 1, requires_grad=True)
    u = net(x)
    (du,) = torch.autograd.grad(u.sum(), x, create_graph=True)
    (ddu,) = torch.autograd.grad(du.sum(), x, create_graph=True)
    residual = ddu + math.pi**2 * torch.sin(math.pi * x)
    loss = residual.pow(2).mean() + 10 * net(ends).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 150 == 0:
        print(step, loss.item())
grid = torch.linspace(0, 1, 101).unsqueeze(1)
with torch.no_grad():
    error = (net(grid) - torch.sin(math.pi * grid)).abs().max().item()
print(f"largest error of the solution {error:.4f}")
