"""Two moons out of noise.

fault: constant-init
also: 
split: test
line: 32
"""

import torch
from sklearn.datasets import make_moons
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(6)

STEPS = 1000
betas = torch.linspace(1e-4, 0.02, STEPS)
alphas = 1.0 - betas
abar = torch.cumprod(alphas, 0)


class Denoiser(nn.Module):
    def __init__(self, hidden=80):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(3, hidden), nn.Tanh(),
            nn.Linear(hidden, hidden), nn.Tanh(),
            nn.Linear(hidden, hidden), nn.Tanh(),
            nn.Linear(hidden, 2))
        for layer in self.net:
            if isinstance(layer, nn.Linear):
                nn.init.constant_(layer.weight, 0.05)
                nn.init.zeros_(layer.bias)

    def forward(self, x, t):
        t = t.float().unsqueeze(1) / STEPS * 2 - 1
        return self.net(torch.cat([x, t], dim=1))


def q_sample(x0, t, noise):
    a = abar[t].unsqueeze(1)
    return a.sqrt() * x0 + (1 - a).sqrt() * noise


@torch.no_grad()
def generate(model, n):
    x = torch.randn(n, 2)
    for s in reversed(range(STEPS)):
        t = torch.full((n,), s)
        eps = model(x, t)
        x = (x - betas[s] / (1 - abar[s]).sqrt() * eps) / alphas[s].sqrt()
        if s > 0:
            x = x + betas[s].sqrt() * torch.randn_like(x)
    return x


points, _ = make_moons(4000, noise=0.04, random_state=6)
data = torch.tensor(points, dtype=torch.float32)
data = (data - data.mean(0)) / data.std(0)
train, held = data[:3500], data[3500:]

model = Denoiser()
opt = torch.optim.Adam(model.parameters(), lr=3e-3)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=1000)
running = 0.0
for it in range(1, 1001):
    x0 = train[torch.randint(0, len(train), (256,))]
    t = torch.randint(0, STEPS, (256,))
    noise = torch.randn_like(x0)
    loss = (model(q_sample(x0, t, noise), t) - noise).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()
    running += loss.item()
    if it % 125 == 0:
        model.eval()
        with torch.no_grad():
            g = torch.Generator().manual_seed(0)
            tt = torch.randint(0, STEPS, (len(held),), generator=g)
            nn_ = torch.randn(held.shape, generator=g)
            val = (model(q_sample(held, tt, nn_), tt) - nn_).pow(2).mean().item()
        model.train()
        print(f"iter {it:4d} noise mse {running / 125:.4f} held-out {val:.4f}")
        running = 0.0

model.eval()
fake = generate(model, 500)
gap = torch.cdist(fake, train).min(1).values.mean().item()
print(f"mean distance of a generated point to the data: {gap:.4f}")
