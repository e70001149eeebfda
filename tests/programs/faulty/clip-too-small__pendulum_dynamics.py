"""Learns the one-step dynamics of a pendulum and rolls the model out.

fault: clip-too-small
also:
split: train
line: 33
"""
import math
import torch
from torch import nn

torch.manual_seed(50)
torch.set_num_threads(1)


def physics(s, u, dt=0.1):
    th, om = s[:, 0], s[:, 1]
    om2 = om + dt * (-9.8 * torch.sin(th) + 4 * u - 0.1 * om)
    return torch.stack([th + dt * om2, om2], 1)


class Dynamics(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(4, 48), nn.Softplus(), nn.Linear(48, 48), nn.Softplus(), nn.Linear(48, 2))

    def forward(self, s, u):
        z = torch.stack([s[:, 0].sin(), s[:, 0].cos(), s[:, 1] / 3, u], 1)
        return self.f(z)


class Experiment:
    max_norm = 1e-3

    def __init__(self):
        self.s = torch.stack([torch.empty(2000).uniform_(-math.pi, math.pi), 3 * torch.randn(2000)], 1)
        self.u = torch.randn(2000)
        d = physics(self.s, self.u) - self.s
        self.scale = d[:1600].std(0)
        self.d = d / self.scale
        self.net = Dynamics()
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1, momentum=0.9)

    def epoch(self):
        for i in torch.randperm(1600).split(40):
            loss = nn.functional.mse_loss(self.net(self.s[i], self.u[i]), self.d[i])
            self.opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.net.parameters(), self.max_norm)
            self.opt.step()
        return loss.item()

    @torch.no_grad()
    def r2(self):
        t = self.d[1600:]
        e = self.net(self.s[1600:], self.u[1600:]) - t
        return (1 - e.pow(2).sum() / (t - t.mean(0)).pow(2).sum()).item()


ex = Experiment()
for k in range(15):
    l = ex.epoch()
    print(f"epoch {k} loss {l:.4f} one-step R2 {ex.r2():.4f}")
