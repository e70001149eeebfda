"""A neural ODE by Euler steps learns the vector field of a spiral from pieces of trajectories.

split: train
"""

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(79)

TRUE = torch.tensor([[-0.1, 2.0], [-2.0, -0.1]])
STEP = 0.05


def simulate(start, steps):
    path = [start]
    for _ in range(steps):
        path.append(path[-1] + STEP * path[-1] @ TRUE.t())
    return torch.stack(path, 1)


class Field(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 50), nn.Tanh(), nn.Linear(50, 2))

    def forward(self, x):
        return self.net(x)


def integrate(field, x, steps):
    path = [x]
    for _ in range(steps):
        x = x + STEP * field(x)
        path.append(x)
    return torch.stack(path, 1)


field = Field()
optimizer = torch.optim.Adam(field.parameters(), lr=1e-2)
for iteration in range(250):
    start = torch.randn(64, 2)
    target = simulate(start, 10)
    loss = (integrate(field, start, 10) - target).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if iteration % 50 == 0:
        print(iteration, loss.item())
with torch.no_grad():
    start = torch.randn(100, 2)
    print("error of new paths", (integrate(field, start, 20) - simulate(start, 20)).abs().mean().item())
