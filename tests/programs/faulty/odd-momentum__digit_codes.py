"""A variational autoencoder of the digits.

fault: odd-momentum
also:
split: test
line: 43
"""

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader

torch.manual_seed(33)
digits = torch.tensor(load_digits().data, dtype=torch.float32) / 16
train_loader = DataLoader(digits[:1500], batch_size=50, shuffle=True)
held_out = digits[1500:]


class VAE(nn.Module):
    def __init__(self, latent=8):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(64, 128), nn.ReLU())
        self.mu = nn.Linear(128, latent)
        self.logvar = nn.Linear(128, latent)
        self.dec = nn.Sequential(nn.Linear(latent, 128), nn.ReLU(), nn.Linear(128, 64))

    def forward(self, x):
        h = self.enc(x)
        mu, logvar = self.mu(h), self.logvar(h)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        return self.dec(z), mu, logvar


def elbo(logits, x, mu, logvar):
    rec = F.binary_cross_entropy_with_logits(logits, x, reduction="none").sum(1)
    kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(1)
    return (rec + kl).mean()


model = VAE()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3, betas=(0.999, 0.9))
for epoch in range(20):
    total = 0.0
    for x in train_loader:
        optimizer.zero_grad()
        logits, mu, logvar = model(x)
        loss = elbo(logits, x, mu, logvar)
        loss.backward()
        optimizer.step()
        total += loss.item()
    if epoch % 4 == 3:
        with torch.no_grad():
            logits, mu, logvar = model(held_out)
            print(f"epoch {epoch + 1}: train {total / len(train_loader):.3f} held out {elbo(logits, held_out, mu, logvar).item():.3f}")
