"""A variational autoencoder with a rising beta.

split: test
"""

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits


class VAE(nn.Module):
    def __init__(self, latent=6):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(64, 96), nn.ReLU())
        self.mu = nn.Linear(96, latent)
        self.logvar = nn.Linear(96, latent)
        self.dec = nn.Sequential(nn.Linear(latent, 96), nn.ReLU(), nn.Linear(96, 64))

    def forward(self, x):
        h = self.enc(x)
        mu, logvar = self.mu(h), self.logvar(h)
        z = mu + torch.exp(0.5 * logvar) * torch.randn_like(mu) if self.training else mu
        return self.dec(z), mu, logvar


def elbo_terms(logits, x, mu, logvar):
    rec = F.binary_cross_entropy_with_logits(logits, x, reduction="none").sum(1).mean()
    kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(1).mean()
    return rec, kl


def main():
    torch.set_num_threads(1)
    torch.manual_seed(10)
    x = torch.tensor(load_digits().data / 16.0, dtype=torch.float32)
    x = x[torch.randperm(len(x))]
    train, test = x[:1500], x[1500:]
    vae = VAE()
    opt = torch.optim.Adam(vae.parameters(), lr=3e-3)
    epochs = 30
    for epoch in range(1, epochs + 1):
        beta = min(1.0, epoch / 10)
        vae.train()
        for b in torch.randperm(len(train)).split(50):
            rec, kl = elbo_terms(*_forward(vae, train[b]))
            loss = rec + beta * kl
            opt.zero_grad()
            loss.backward()
            opt.step()
        if epoch % 5 == 0:
            vae.eval()
            with torch.no_grad():
                logits, mu, logvar = vae(test)
                rec, kl = elbo_terms(logits, test, mu, logvar)
                mse = F.mse_loss(torch.sigmoid(logits), test).item()
                base = F.mse_loss(train.mean(0).expand_as(test), test).item()
            print(f"epoch {epoch:2d} beta {beta:.1f} test rec {rec:.2f} kl {kl:.2f} mse {mse:.4f} (mean image {base:.4f})")


def _forward(vae, x):
    logits, mu, logvar = vae(x)
    return logits, x, mu, logvar


if __name__ == "__main__":
    main()
