"""A non-saturating GAN that learns the two moons, with both optimizers at the usual betas.

split: test
"""

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import make_moons

torch.set_num_threads(1)
torch.manual_seed(3)

points, _ = make_moons(4000, noise=0.05, random_state=0)
points = torch.tensor(points, dtype=torch.float32)
points = (points - points.mean(0)) / points.std(0)


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(4, 64), nn.LeakyReLU(0.2), nn.Linear(64, 64), nn.LeakyReLU(0.2), nn.Linear(64, 2)
        )

    def forward(self, z):
        return self.net(z)


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(2, 64), nn.LeakyReLU(0.2), nn.Linear(64, 64), nn.LeakyReLU(0.2), nn.Linear(64, 1)
        )

    def forward(self, x):
        return self.net(x).squeeze(1)


G, D = Generator(), Discriminator()
opt_g = torch.optim.Adam(G.parameters(), lr=1e-3, betas=(0.5, 0.999))
opt_d = torch.optim.Adam(D.parameters(), lr=1e-3, betas=(0.5, 0.999))
for step in range(900):
    real = points[torch.randint(0, len(points), (128,))]
    fake = G(torch.randn(128, 4))
    loss_d = F.softplus(-D(real)).mean() + F.softplus(D(fake.detach())).mean()
    opt_d.zero_grad()
    loss_d.backward()
    opt_d.step()

    loss_g = F.softplus(-D(fake)).mean()
    opt_g.zero_grad()
    loss_g.backward()
    opt_g.step()
    if step % 100 == 0:
        print(f"step {step} d {loss_d.item():.3f} g {loss_g.item():.3f}")

with torch.no_grad():
    samples = G(torch.randn(1000, 4))
    distance = torch.cdist(samples, points).min(1).values
print(f"median distance of a sample to the data {distance.median().item():.3f}")
