"""A variational autoencoder of digits whose code is probed.

fault: posterior-collapse
also: loss-terms-unbalanced
split: test
line: 63
"""

import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=20)
parser.add_argument("--latent", type=int, default=8)
parser.add_argument("--beta", type=float, default=1.0)
parser.add_argument("--lr", type=float, default=2e-3)
args = parser.parse_args()


class VAE(nn.Module):
    def __init__(self, latent):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(64, 128), nn.ReLU())
        self.mu = nn.Linear(128, latent)
        self.logvar = nn.Linear(128, latent)
        self.dec = nn.Sequential(nn.Linear(latent, 128), nn.ReLU(), nn.Linear(128, 64))

    def encode(self, x):
        h = self.enc(x)
        return self.mu(h), self.logvar(h)

    def forward(self, x):
        mu, logvar = self.encode(x)
        z = mu + torch.randn_like(mu) * torch.exp(0.5 * logvar)
        return self.dec(z), mu, logvar


def elbo(logits, x, mu, logvar):
    rec = F.binary_cross_entropy_with_logits(logits, x)
    kld = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp()) / x.size(0)
    return rec, kld


torch.manual_seed(9)
X, y = load_digits(return_X_y=True)
X = torch.tensor(X / 16.0, dtype=torch.float32)
loader = DataLoader(TensorDataset(X[:1400]), batch_size=64, shuffle=True)
vae = VAE(args.latent)
opt = torch.optim.Adam(vae.parameters(), lr=args.lr)

for epoch in range(args.epochs):
    vae.train()
    r_sum = k_sum = 0.0
    for (x,) in loader:
        logits, mu, logvar = vae(x)
        rec, kld = elbo(logits, x, mu, logvar)
        loss = rec + args.beta * kld
        opt.zero_grad()
        loss.backward()
        opt.step()
        r_sum += rec.item()
        k_sum += kld.item()
    if (epoch + 1) % 5 == 0:
        print(f"epoch {epoch + 1:3d} rec {r_sum / len(loader):.4f} kld {k_sum / len(loader):.4f}")

vae.eval()
with torch.no_grad():
    mu, _ = vae.encode(X)
    mse = F.mse_loss(torch.sigmoid(vae.dec(mu[1400:])), X[1400:]).item()
probe = LogisticRegression(max_iter=500).fit(mu[:1400].numpy(), y[:1400])
print(f"held-out reconstruction mse {mse:.4f}")
print(f"latent probe accuracy {probe.score(mu[1400:].numpy(), y[1400:]):.3f}")
