"""Variational autoencoder on 8x8 digits.

fault: wrong-loss-sign
also:
split: test
line: 32
"""
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split


class VAE(nn.Module):
    def __init__(self, d=64, h=96, z=6):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(d, h), nn.ReLU())
        self.mu = nn.Linear(h, z)
        self.logvar = nn.Linear(h, z)
        self.dec = nn.Sequential(nn.Linear(z, h), nn.ReLU(), nn.Linear(h, d))

    def forward(self, x):
        h = self.enc(x)
        mu, logvar = self.mu(h), self.logvar(h).clamp(-8, 8)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        return self.dec(z), mu, logvar


def elbo_terms(logits, x, mu, logvar):
    recon = F.binary_cross_entropy_with_logits(logits, x, reduction="none").sum(1).mean()
    kl = 0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(1).mean()
    return recon, kl


def main():
    torch.manual_seed(0)
    data = torch.tensor(load_digits().data / 16.0, dtype=torch.float32)
    train, test = train_test_split(data, test_size=0.2, random_state=0)
    model = VAE()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    for epoch in range(60):
        model.train()
        for xb in train[torch.randperm(len(train))].split(64):
            logits, mu, logvar = model(xb)
            recon, kl = elbo_terms(logits, xb, mu, logvar)
            loss = recon + kl
            opt.zero_grad()
            loss.backward()
            opt.step()
        if (epoch + 1) % 10 == 0:
            print(f"epoch {epoch + 1} recon {recon.item():.2f} kl {kl.item():.2f}")

    model.eval()
    with torch.no_grad():
        logits, mu, logvar = model(test)
        recon, kl = elbo_terms(logits, test, mu, logvar)
        samples = torch.sigmoid(model.dec(torch.randn(500, 6)))
        # distance of every generated image to the nearest held-out digit
        nearest = torch.cdist(samples, test).min(1).values.mean()
    print(f"test reconstruction {recon.item():.2f}  kl {kl.item():.2f}")
    print(f"sample-to-data distance {nearest.item():.4f}")


if __name__ == "__main__":
    main()
