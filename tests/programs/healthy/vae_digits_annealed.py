"""A variational autoencoder whose divergence is let in slowly.

split: test
"""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn


@dataclass
class Config:
    latent: int = 8
    hidden: int = 128
    epochs: int = 25
    warmup: int = 10
    batch_size: int = 32
    lr: float = 2e-3
    seed: int = 11


class VAE(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(64, cfg.hidden), nn.ReLU(), nn.Linear(cfg.hidden, cfg.hidden), nn.ReLU())
        self.mu = nn.Linear(cfg.hidden, cfg.latent)
        self.logvar = nn.Linear(cfg.hidden, cfg.latent)
        self.dec = nn.Sequential(nn.Linear(cfg.latent, cfg.hidden), nn.ReLU(),
                                 nn.Linear(cfg.hidden, cfg.hidden), nn.ReLU(), nn.Linear(cfg.hidden, 64))

    def forward(self, x):
        h = self.enc(x)
        mu, logvar = self.mu(h), self.logvar(h)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp() if self.training else mu
        return self.dec(z), mu, logvar


def losses(logits, x, mu, logvar):
    rec = F.binary_cross_entropy_with_logits(logits, x, reduction="sum") / len(x)
    kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(1).mean()
    return rec, kl


cfg = Config()
torch.set_num_threads(1)
torch.manual_seed(cfg.seed)
images = torch.tensor(load_digits().data, dtype=torch.float32) / 16.0
perm = torch.randperm(len(images))
train, test = images[perm[:1500]], images[perm[1500:]]

model = VAE(cfg)
opt = torch.optim.Adam(model.parameters(), lr=cfg.lr)
for epoch in range(cfg.epochs):
    beta = min(1.0, (epoch + 1) / cfg.warmup)
    model.train()
    srec = skl = 0.0
    order = torch.randperm(len(train))
    for i in range(0, len(train), cfg.batch_size):
        x = train[order[i:i + cfg.batch_size]]
        logits, mu, logvar = model(x)
        rec, kl = losses(logits, x, mu, logvar)
        loss = rec + beta * kl
        opt.zero_grad()
        loss.backward()
        opt.step()
        srec += rec.item() * len(x)
        skl += kl.item() * len(x)
    if (epoch + 1) % 5 == 0:
        model.eval()
        with torch.no_grad():
            out, mu, lv = model(test)
            trec, tkl = losses(out, test, mu, lv)
            mse = F.mse_loss(torch.sigmoid(out), test).item()
        print(f"{epoch + 1:3d} beta {beta:.2f} train rec {srec / len(train):.3f} kl {skl / len(train):.3f} "
              f"| test rec {trec:.3f} kl {tkl:.3f} pixel mse {mse:.4f}")

print("variance of the test pixels (baseline mse):", round(test.var(0).mean().item(), 4))
