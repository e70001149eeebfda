"""A variational autoencoder of digits.

fault: posterior-collapse
also: loss-terms-unbalanced
split: test
line: 31, 32, 33
"""

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits


class VAE(nn.Module):
    def __init__(self, d=64, h=128, z=8):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(d, h), nn.ReLU(), nn.Linear(h, h), nn.ReLU())
        self.mu = nn.Linear(h, z)
        self.logvar = nn.Linear(h, z)
        self.dec = nn.Sequential(nn.Linear(z, h), nn.ReLU(), nn.Linear(h, h), nn.ReLU(), nn.Linear(h, d))

    def forward(self, x):
        h = self.enc(x)
        mu, logvar = self.mu(h), self.logvar(h)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        return self.dec(z), mu, logvar


def elbo(logits, x, mu, logvar):
    rec = F.binary_cross_entropy_with_logits(logits, x)
    kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(1).mean()
    return rec + kl, rec, kl


def main():
    torch.manual_seed(0)
    X = torch.tensor(load_digits().data / 16.0, dtype=torch.float32)
    X = X[torch.randperm(len(X))]
    train, test = X[:1500], X[1500:]
    model = VAE()
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    for epoch in range(60):
        model.train()
        stats = torch.zeros(3)
        for xb in train[torch.randperm(len(train))].split(64):
            logits, mu, logvar = model(xb)
            loss, rec, kl = elbo(logits, xb, mu, logvar)
            opt.zero_grad()
            loss.backward()
            opt.step()
            stats += torch.tensor([loss.item(), rec.item(), kl.item()]) * len(xb)
        if epoch % 10 == 9:
            l, r, k = (stats / len(train)).tolist()
            print(f"epoch {epoch + 1}: loss {l:.3f} rec {r:.3f} kl {k:.3f}")
    model.eval()
    with torch.no_grad():
        out = torch.sigmoid(model.dec(model.mu(model.enc(test))))
    base = (test - train.mean(0)).pow(2).mean().item()
    mse = (out - test).pow(2).mean().item()
    print(f"test reconstruction mse {mse:.4f} (predicting the mean image: {base:.4f})")


if __name__ == "__main__":
    main()
