"""Variational autoencoder on the digits, KL weight warmed up over the first epochs.

split: train
"""
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits


class VAE(nn.Module):
    def __init__(self, latent=8, hidden=96):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(64, hidden), nn.GELU())
        self.mu, self.logvar = nn.Linear(hidden, latent), nn.Linear(hidden, latent)
        self.dec = nn.Sequential(nn.Linear(latent, hidden), nn.GELU(), nn.Linear(hidden, 64))

    def forward(self, x):
        h = self.enc(x)
        mu, logvar = self.mu(h), self.logvar(h)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp() if self.training else mu
        return self.dec(z), mu, logvar


def elbo_terms(x, out, mu, logvar):
    rec = F.binary_cross_entropy_with_logits(out, x, reduction="none").sum(1).mean()
    kl = -0.5 * (1 + logvar - mu ** 2 - logvar.exp()).sum(1).mean()
    return rec, kl


def main():
    torch.manual_seed(10)
    x = torch.tensor(load_digits().data / 16.0, dtype=torch.float32)
    x = x[torch.randperm(len(x))]
    train, val = x[:1500], x[1500:]
    floor = F.binary_cross_entropy(val, val, reduction="none").sum(1).mean().item()
    mean_img = train.mean(0).clamp(1e-4, 1 - 1e-4).expand_as(val)
    plain = F.binary_cross_entropy(mean_img, val, reduction="none").sum(1).mean().item()
    model = VAE()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    for epoch in range(40):
        model.train()
        beta = min(1.0, (epoch + 1) / 10)
        for batch in train[torch.randperm(len(train))].split(50):
            rec, kl = elbo_terms(batch, *model(batch))
            loss = rec + beta * kl
            opt.zero_grad()
            loss.backward()
            opt.step()
        if epoch % 8 == 7:
            model.eval()
            with torch.no_grad():
                r, k = elbo_terms(val, *model(val))
            print(f"epoch {epoch + 1:2d} val rec {r:.2f} kl {k:.2f} (mean image {plain:.2f}, entropy floor {floor:.2f})")
    print(f"score (val rec) {r:.3f}")


if __name__ == "__main__":
    main()
