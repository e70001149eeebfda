"""Neural ODE with a hand-written RK4 solver, learning a damped nonlinear pendulum.

split: test
"""

import torch
from torch import nn

torch.manual_seed(0)
DT, STEPS = 0.1, 20


def true_field(s):
    th, w = s[..., 0], s[..., 1]
    return torch.stack([w, -1.5 * torch.sin(th) - 0.15 * w], -1)


def rk4(f, s, steps, dt):
    out = [s]
    for _ in range(steps):
        k1 = f(s)
        k2 = f(s + 0.5 * dt * k1)
        k3 = f(s + 0.5 * dt * k2)
        k4 = f(s + dt * k3)
        s = s + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        out.append(s)
    return torch.stack(out, 1)


def simulate(n, steps):
    s0 = torch.rand(n, 2) * torch.tensor([3.0, 2.0]) - torch.tensor([1.5, 1.0])
    with torch.no_grad():
        traj = rk4(lambda s: true_field(s), s0, steps * 4, DT / 4)[:, ::4]
    return traj


train = simulate(300, STEPS)
train = train + 0.01 * torch.randn_like(train)
test = simulate(100, STEPS)
long_test = simulate(50, 60)


class Field(nn.Module):
    def __init__(self, h=48):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, h), nn.Tanh(), nn.Linear(h, h), nn.Tanh(), nn.Linear(h, 2))

    def forward(self, s):
        return self.net(s)


field = Field()
opt = torch.optim.Adam(field.parameters(), lr=5e-3)
ITERS = 700
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, ITERS)
for it in range(ITERS):
    i = torch.randint(len(train), (48,))
    # start somewhere inside the trajectory and integrate 10 steps
    k = torch.randint(0, STEPS - 10 + 1, (1,)).item()
    target = train[i, k:k + 11]
    pred = rk4(field, target[:, 0], 10, DT)
    loss = (pred[:, 1:] - target[:, 1:]).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()
    if it % 100 == 0 or it == ITERS - 1:
        with torch.no_grad():
            tl = (rk4(field, test[:, 0], STEPS, DT) - test).pow(2).mean()
        print(f"iter {it:4d} train {loss.item():.6f} test mse {tl.item():.6f}")

with torch.no_grad():
    ll = (rk4(field, long_test[:, 0], 60, DT) - long_test).pow(2).mean().sqrt()
print(f"60-step rollout rmse {ll.item():.4f} (state std {long_test.std().item():.3f})")
