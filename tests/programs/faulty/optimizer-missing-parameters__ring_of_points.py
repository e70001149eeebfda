"""A generator and a critic on a ring of points, in a trainer class.

fault: optimizer-missing-parameters
also:
split: train
line: 45
"""

import math

import torch
import torch.nn as nn


class Generator(nn.Module):
    def __init__(self, z_dim=8, h=64):
        super().__init__()
        self.model = nn.Sequential(nn.Linear(z_dim, h), nn.LeakyReLU(0.2), nn.Linear(h, h), nn.LeakyReLU(0.2), nn.Linear(h, 2))

    def forward(self, z):
        return self.model(z)


class Discriminator(nn.Module):
    def __init__(self, h=64):
        super().__init__()
        self.model = nn.Sequential(nn.Linear(2, h), nn.LeakyReLU(0.2), nn.Linear(h, h), nn.LeakyReLU(0.2), nn.Linear(h, 1))

    def forward(self, x):
        return self.model(x)


def real_batch(n):
    angle = torch.rand(n) * 2 * math.pi
    r = 1.0 + 0.05 * torch.randn(n)
    return torch.stack([r * angle.cos(), r * angle.sin()], dim=1)


class GANTrainer:
    def __init__(self, z_dim=8, lr=1e-3, batch=128):
        self.z_dim, self.batch = z_dim, batch
        self.G = Generator(z_dim)
        self.D = Discriminator()
        self.opt_d = torch.optim.Adam(self.D.parameters(), lr=lr, betas=(0.5, 0.999))
        self.opt_g = torch.optim.Adam(self.D.parameters(), lr=lr, betas=(0.5, 0.999))
        self.adversarial_loss = nn.BCEWithLogitsLoss()

    def step_d(self):
        valid, fake = torch.ones(self.batch, 1), torch.zeros(self.batch, 1)
        gen = self.G(torch.randn(self.batch, self.z_dim)).detach()
        self.opt_d.zero_grad()
        loss = 0.5 * (self.adversarial_loss(self.D(real_batch(self.batch)), valid) + self.adversarial_loss(self.D(gen), fake))
        loss.backward()
        self.opt_d.step()
        return loss.item()

    def step_g(self):
        valid = torch.ones(self.batch, 1)
        self.opt_g.zero_grad()
        loss = self.adversarial_loss(self.D(self.G(torch.randn(self.batch, self.z_dim))), valid)
        loss.backward()
        self.opt_g.step()
        return loss.item()

    def fit(self, steps):
        for i in range(steps):
            d, g = self.step_d(), self.step_g()
            if i % 200 == 0 or i == steps - 1:
                with torch.no_grad():
                    r = self.G(torch.randn(1000, self.z_dim)).norm(dim=1)
                print(f"[{i}/{steps}] D loss: {d:.3f} G loss: {g:.3f} radius {r.mean():.3f} +- {r.std():.3f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    GANTrainer().fit(1500)
