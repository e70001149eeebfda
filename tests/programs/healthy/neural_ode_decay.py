"""Neural ODE with a hand-written RK4 solver on damped rotations.

split: test
"""
import torch
from torch import nn

torch.manual_seed(34)
torch.set_num_threads(1)
A = torch.tensor([[-0.15, 1.5], [-1.5, -0.15]])
DT, STEPS = 0.2, 8


def rk4(f, s):
    k1 = f(s)
    k2 = f(s + DT / 2 * k1)
    k3 = f(s + DT / 2 * k2)
    k4 = f(s + DT * k3)
    return s + DT / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def roll(f, s, n):
    out = []
    for _ in range(n):
        s = rk4(f, s)
        out.append(s)
    return torch.stack(out, 1)


with torch.no_grad():
    start = torch.randn(300, 2)
    truth = roll(lambda s: torch.tanh(s) @ A.T, start, STEPS)
noisy = truth + 0.01 * torch.randn_like(truth)
field = nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 2))
opt = torch.optim.Adam(field.parameters(), lr=1e-2)
sched = torch.optim.lr_scheduler.StepLR(opt, 8, 0.4)
for ep in range(20):
    for b in torch.randperm(240).split(40):
        loss = (roll(field, start[b], STEPS) - noisy[b]).abs().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    sched.step()
    if ep % 4 == 3:
        with torch.no_grad():
            e = (roll(field, start[240:], STEPS) - truth[240:]).norm() / truth[240:].norm()
        print(f"epoch {ep + 1} l1 {loss.item():.4f} relative rollout error {e:.4f}")
