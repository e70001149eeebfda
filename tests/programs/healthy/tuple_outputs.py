"""Modules that return tuples: a variational autoencoder hands out reconstruction, mean and spread.

split: train
"""

import torch
import torch.nn.functional as F
from torch import nn, optim


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(16, 32)
        self.mean = nn.Linear(32, 4)
        self.logvar = nn.Linear(32, 4)

    def forward(self, x):
        h = F.relu(self.body(x))
        return self.mean(h), self.logvar(h)


class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = Encoder()
        self.decoder = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 16))

    def forward(self, x):
        mean, logvar = self.encoder(x)
        z = mean + torch.randn_like(mean) * torch.exp(0.5 * logvar)
        return self.decoder(z), mean, logvar


def elbo(reconstruction, x, mean, logvar):
    kl = -0.5 * torch.sum(1 + logvar - mean.pow(2) - logvar.exp(), 1).mean()
    return F.mse_loss(reconstruction, x, reduction="none").sum(1).mean() + 0.1 * kl


def run():
    torch.manual_seed(10)
    vae = VAE()
    optimizer = optim.Adam(vae.parameters(), lr=3e-3)
    basis = torch.randn(3, 16)
    for step in range(30):
        x = torch.randn(32, 3) @ basis
        optimizer.zero_grad()
        reconstruction, mean, logvar = vae(x)
        loss = elbo(reconstruction, x, mean, logvar)
        loss.backward()
        optimizer.step()
        print(f"step {step} loss {loss.item()!r}")


if __name__ == "__main__":
    torch.set_num_threads(1)
    run()
