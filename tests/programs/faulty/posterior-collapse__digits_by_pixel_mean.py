"""Digits by pixel mean.

fault: posterior-collapse
also: loss-terms-unbalanced
split: train
line: 37, 39
"""

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits


class VAE(nn.Module):
    def __init__(self, latent=8):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(64, 64), nn.ReLU())
        self.fc_mu = nn.Linear(64, latent)
        self.fc_logvar = nn.Linear(64, latent)
        self.decoder = nn.Sequential(nn.Linear(latent, 64), nn.ReLU(), nn.Linear(64, 64))

    def encode(self, x):
        h = self.encoder(x)
        return self.fc_mu(h), self.fc_logvar(h)

    def reparameterize(self, mu, logvar):
        std = torch.exp(0.5 * logvar)
        return mu + std * torch.randn_like(std)

    def forward(self, x):
        mu, logvar = self.encode(x)
        return self.decoder(self.reparameterize(mu, logvar)), mu, logvar


def loss_function(recon, x, mu, logvar):
    rec = F.binary_cross_entropy_with_logits(recon, x, reduction="mean")
    kld = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp()) / len(x)
    return rec + kld


def main():
    torch.manual_seed(7)
    x = torch.tensor(load_digits().data / 16.0, dtype=torch.float32)
    x = x[torch.randperm(len(x))]
    train, test = x[:1500], x[1500:]
    model = VAE()
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    for epoch in range(15):
        model.train()
        running = 0.0
        for batch in train[torch.randperm(len(train))].split(64):
            optimizer.zero_grad()
            recon, mu, logvar = model(batch)
            loss = loss_function(recon, batch, mu, logvar)
            loss.backward()
            optimizer.step()
            running += loss.item()
        print(f"epoch {epoch}: {running:.3f}")
    model.eval()
    with torch.no_grad():
        mu, _ = model.encode(test)
        mse = F.mse_loss(torch.sigmoid(model.decoder(mu)), test).item()
    print("test reconstruction mse", mse)
    print("SCORE", -mse)


if __name__ == "__main__":
    main()
