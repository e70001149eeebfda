"""A variational autoencoder with two terms.

fault: posterior-collapse
also: loss-terms-unbalanced
split: test
line: 51
"""

from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, TensorDataset, random_split


@dataclass
class Args:
    latent: int = 8
    hidden: int = 128
    epochs: int = 40
    batch_size: int = 64
    lr: float = 2e-3
    seed: int = 13


class VAE(nn.Module):
    def __init__(self, latent, hidden):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(64, hidden), nn.ReLU())
        self.mu = nn.Linear(hidden, latent)
        self.logvar = nn.Linear(hidden, latent)
        self.dec = nn.Sequential(nn.Linear(latent, hidden), nn.ReLU(), nn.Linear(hidden, 64))

    def encode(self, x):
        h = self.enc(x)
        return self.mu(h), self.logvar(h)

    def reparameterize(self, mu, logvar):
        std = torch.exp(0.5 * logvar)
        return mu + std * torch.randn_like(std)

    def forward(self, x):
        mu, logvar = self.encode(x)
        z = self.reparameterize(mu, logvar)
        return self.dec(z), mu, logvar


def elbo_terms(logits, x, mu, logvar):
    recon = F.binary_cross_entropy_with_logits(logits, x)
    kl = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp()) / x.size(0)
    return recon, kl


def train_epoch(model, loader, opt):
    model.train()
    sums = [0.0, 0.0]
    for (x,) in loader:
        logits, mu, logvar = model(x)
        recon, kl = elbo_terms(logits, x, mu, logvar)
        loss = recon + kl
        opt.zero_grad()
        loss.backward()
        opt.step()
        sums[0] += recon.item()
        sums[1] += kl.item()
    return [s / len(loader) for s in sums]


@torch.no_grad()
def reconstruction_r2(model, loader):
    """Share of pixel variance explained by decoding the posterior mean."""
    model.eval()
    x = torch.cat([b[0] for b in loader])
    rec = torch.sigmoid(model.dec(model.encode(x)[0]))
    return 1.0 - ((rec - x) ** 2).sum().item() / ((x - x.mean(0)) ** 2).sum().item()


def main(args):
    torch.manual_seed(args.seed)
    data = torch.tensor(load_digits().data / 16.0, dtype=torch.float32)
    train, test = random_split(TensorDataset(data), [1400, len(data) - 1400])
    train_loader = DataLoader(train, args.batch_size, shuffle=True)
    test_loader = DataLoader(test, 200)
    model = VAE(args.latent, args.hidden)
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    for epoch in range(args.epochs):
        recon, kl = train_epoch(model, train_loader, opt)
        if epoch % 5 == 0 or epoch == args.epochs - 1:
            print(f"epoch {epoch:2d} recon {recon:.4f} kl {kl:.4f} r2 {reconstruction_r2(model, test_loader):.4f}")
    print(f"final reconstruction R2: {reconstruction_r2(model, test_loader):.4f}")


if __name__ == "__main__":
    main(Args())
