"""A variational autoencoder of digits, evaluated part by part.

split: train
"""

import torch
from torch import nn
import torch.nn.functional as F
from sklearn.datasets import load_digits


class VAE(nn.Module):
    def __init__(self, z=6):
        super().__init__()
        self.enc = nn.Linear(64, 64)
        self.mu = nn.Linear(64, z)
        self.logvar = nn.Linear(64, z)
        self.dec1 = nn.Linear(z, 64)
        self.dec2 = nn.Linear(64, 64)

    def encode(self, x):
        h = F.relu(self.enc(x))
        return self.mu(h), self.logvar(h)

    def decode(self, z):
        return self.dec2(F.relu(self.dec1(z)))

    def forward(self, x):
        mu, logvar = self.encode(x)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        return self.decode(z), mu, logvar


def elbo(logits, x, mu, logvar):
    rec = F.binary_cross_entropy_with_logits(logits, x, reduction="none").sum(1).mean()
    kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(1).mean()
    return rec + kl, rec, kl


def train(epochs=20, batch=64):
    torch.manual_seed(2)
    x = torch.tensor(load_digits().data / 16.0).float()
    x = x[torch.randperm(len(x))]
    train_x, test_x = x[:1500], x[1500:]
    vae = VAE()
    opt = torch.optim.Adam(vae.parameters(), lr=3e-3)
    for epoch in range(epochs):
        vae.train()
        for b in torch.randperm(len(train_x)).split(batch):
            logits, mu, logvar = vae(train_x[b])
            loss, rec, kl = elbo(logits, train_x[b], mu, logvar)
            opt.zero_grad()
            loss.backward()
            opt.step()
        if epoch % 4 == 3:
            vae.eval()
            with torch.no_grad():
                recon = torch.sigmoid(vae.decode(vae.encode(test_x)[0]))
                ev = 1 - ((recon - test_x) ** 2).sum() / ((test_x - test_x.mean(0)) ** 2).sum()
            print(f"epoch {epoch + 1} loss {loss:.2f} rec {rec:.2f} kl {kl:.2f} explained {ev:.3f}")


if __name__ == "__main__":
    train()
