"""Two views of waves that shall be alike, judged by a linear probe.

split: train
"""

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.linear_model import LogisticRegression

torch.manual_seed(3)


def base(n):
    kind = torch.randint(0, 5, (n,))
    t = torch.linspace(0, 1, 64)
    freq = (kind.float() + 2).unsqueeze(1)
    env = torch.exp(-((t - 0.5) * (1 + kind.float().unsqueeze(1) % 3)) ** 2 * 4)
    return torch.sin(2 * torch.pi * freq * t) * env, kind


def augment(x):
    shift = torch.randint(0, 12, (1,)).item()
    return torch.roll(x, shift, 1) * (0.7 + 0.6 * torch.rand(len(x), 1)) + 0.15 * torch.randn_like(x)


class Enc(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv1d(1, 16, 7, 2, 3), nn.ReLU(), nn.Conv1d(16, 32, 5, 2, 2), nn.ReLU(), nn.AdaptiveAvgPool1d(4), nn.Flatten())
        self.project = nn.Sequential(nn.Linear(128, 64), nn.ReLU(), nn.Linear(64, 16))

    def forward(self, x):
        return self.project(self.conv(x.unsqueeze(1)))


x, y = base(2000)
enc = Enc()
opt = torch.optim.Adam(enc.parameters(), lr=1e-3)
for epoch in range(6):
    for idx in torch.randperm(2000).split(50):
        z = F.normalize(torch.cat([enc(augment(x[idx])), enc(augment(x[idx]))]), dim=1)
        sim = z @ z.t() / 0.3
        sim.fill_diagonal_(float("-inf"))
        n = len(idx)
        target = torch.cat([torch.arange(n) + n, torch.arange(n)])
        loss = F.cross_entropy(sim, target)
        opt.zero_grad()
        loss.backward()
        opt.step()
    with torch.no_grad():
        f = enc.conv(x.unsqueeze(1))
    probe = LogisticRegression(max_iter=300).fit(f[:1000].numpy(), y[:1000].numpy())
    print("epoch", epoch, "nt-xent", round(loss.item(), 3), "probe", probe.score(f[1000:].numpy(), y[1000:].numpy()))
