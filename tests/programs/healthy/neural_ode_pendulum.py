"""Neural ODE integrated by the midpoint rule on short segments of a damped pendulum, tested by a long roll-out.

split: test
"""

import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(70)

DT, STEPS = 0.1, 100


def integrate(f, x, n, dt=DT):
    path = [x]
    for _ in range(n):
        k1 = f(x)
        x = x + dt * f(x + 0.5 * dt * k1)
        path.append(x)
    return torch.stack(path)


def pendulum(x):
    theta, omega = x.unbind(-1)
    return torch.stack([omega, -2.0 * torch.sin(theta) - 0.2 * omega], -1)


with torch.no_grad():
    clean = integrate(pendulum, torch.empty(40, 2).uniform_(-2.0, 2.0), STEPS)
    test_path = integrate(pendulum, torch.empty(10, 2).uniform_(-1.8, 1.8), STEPS)
observed = clean + 0.01 * torch.randn_like(clean)


class Field(nn.Module):
    def __init__(self, hid=48):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, hid), nn.Tanh(), nn.Linear(hid, hid), nn.Tanh(), nn.Linear(hid, 2))

    def forward(self, x):
        return self.net(x)


def get_batch(n=128, length=8):
    start = torch.randint(0, STEPS - length, (n,))
    traj = torch.randint(0, observed.size(1), (n,))
    seg = torch.stack([observed[start + i, traj] for i in range(length + 1)])
    return seg[0], seg


func = Field()
optimizer = torch.optim.RMSprop(func.parameters(), lr=3e-3)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 400)
for itr in range(1, 401):
    x0, target = get_batch()
    pred = integrate(func, x0, 8)
    loss = (pred - target).abs().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    scheduler.step()
    if itr % 50 == 0:
        with torch.no_grad():
            roll = integrate(func, test_path[0], STEPS)
            err = (roll - test_path).abs().mean().item()
        print(f"Iter {itr:04d} | batch loss {loss.item():.5f} | roll-out error on unseen starts {err:.4f}")
print("mean size of the unseen paths: %.3f" % test_path.abs().mean().item())
