"""A variational autoencoder of handwritten digits.

fault: posterior-collapse
also: loss-terms-unbalanced
split: train
line: 30
"""

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits

torch.set_num_threads(1)


class VAE(nn.Module):
    def __init__(self, d=64, h=128, z=8):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(d, h), nn.ReLU(), nn.Linear(h, 2 * z))
        self.dec = nn.Sequential(nn.Linear(z, h), nn.ReLU(), nn.Linear(h, d))

    def forward(self, x):
        mu, logvar = self.enc(x).chunk(2, dim=-1)
        z = mu + torch.randn_like(mu) * torch.exp(0.5 * logvar)
        return self.dec(z), mu, logvar


def elbo_terms(x, logits, mu, logvar):
    recon = F.binary_cross_entropy_with_logits(logits, x, reduction="none").mean(1).mean()
    kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(1).mean()
    return recon, kl


def main(seed=6, epochs=30, bs=64):
    torch.manual_seed(seed)
    X = torch.tensor(load_digits().data, dtype=torch.float32) / 16.0
    X = X[torch.randperm(len(X))]
    train, test = X[:1500], X[1500:]
    vae = VAE()
    opt = torch.optim.Adam(vae.parameters(), lr=2e-3)
    for epoch in range(1, epochs + 1):
        r_sum = k_sum = 0.0
        for idx in torch.randperm(len(train)).split(bs):
            xb = train[idx]
            logits, mu, logvar = vae(xb)
            recon, kl = elbo_terms(xb, logits, mu, logvar)
            loss = recon + kl
            opt.zero_grad()
            loss.backward()
            opt.step()
            r_sum += recon.item() * len(idx)
            k_sum += kl.item() * len(idx)
        if epoch % 5 == 0:
            vae.eval()
            with torch.no_grad():
                mu = vae.enc(test).chunk(2, -1)[0]
                rec = torch.sigmoid(vae.dec(mu))
                mse = F.mse_loss(rec, test).item()
            vae.train()
            print(f"epoch {epoch} recon {r_sum / len(train):.3f} kl {k_sum / len(train):.3f} test mse {mse:.4f}")
    base = F.mse_loss(train.mean(0).expand_as(test), test).item()
    print(f"test mse {mse:.4f} (mean image {base:.4f})")


if __name__ == "__main__":
    main()
