"""A variational autoencoder of digits.

split: train
"""

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits

torch.manual_seed(5)

LATENT = 8
BATCH = 64
EPOCHS = 40


class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(64, 128), nn.ReLU())
        self.to_mu = nn.Linear(128, LATENT)
        self.to_logvar = nn.Linear(128, LATENT)
        self.dec = nn.Sequential(
            nn.Linear(LATENT, 128),
            nn.ReLU(),
            nn.Linear(128, 64),
        )

    def encode(self, x):
        h = self.enc(x)
        return self.to_mu(h), self.to_logvar(h).clamp(-8, 8)

    def forward(self, x):
        mu, logvar = self.encode(x)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        return self.dec(z), mu, logvar


def vae_loss(recon_logits, x, mu, logvar):
    recon = F.binary_cross_entropy_with_logits(recon_logits, x, reduction="sum") / x.size(0)
    kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(dim=1).mean()
    return recon + kl, recon, kl


@torch.no_grad()
def sample_distance(model, reference, n=300):
    """Mean distance of generated images to their nearest real image."""
    model.eval()
    samples = torch.sigmoid(model.dec(torch.randn(n, LATENT)))
    return torch.cdist(samples, reference).min(dim=1).values.mean().item()


@torch.no_grad()
def reconstruction_mse(model, x):
    model.eval()
    mu, _ = model.encode(x)
    return F.mse_loss(torch.sigmoid(model.dec(mu)), x).item()


def main():
    x_all = torch.tensor(load_digits().data, dtype=torch.float32) / 16.0
    x_all = x_all[torch.randperm(len(x_all))]
    x_train, x_test = x_all[:1500], x_all[1500:]

    model = VAE()
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)

    for epoch in range(1, EPOCHS + 1):
        model.train()
        order = torch.randperm(len(x_train))
        sums = torch.zeros(2)
        steps = 0
        for batch_idx in order.split(BATCH):
            x = x_train[batch_idx]
            logits, mu, logvar = model(x)
            loss, recon, kl = vae_loss(logits, x, mu, logvar)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            sums += torch.tensor([recon.item(), kl.item()])
            steps += 1
        if epoch % 5 == 0:
            r, k = (sums / steps).tolist()
            print(f"epoch {epoch:3d}  recon {r:.3f}  kl {k:.3f}  test mse {reconstruction_mse(model, x_test):.4f}")

    print(f"recon mse {reconstruction_mse(model, x_test):.4f}, sample distance {sample_distance(model, x_train):.3f}")


if __name__ == "__main__":
    main()
