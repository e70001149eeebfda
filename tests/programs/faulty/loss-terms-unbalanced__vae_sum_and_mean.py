"""A variational autoencoder on digits with a mean reconstruction error and a summed divergence.

fault: loss-terms-unbalanced
also: posterior-collapse
split: train
line: 29
"""

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class VAE(nn.Module):
    def __init__(self, code=8):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 2 * code))
        self.decoder = nn.Sequential(nn.Linear(code, 64), nn.ReLU(), nn.Linear(64, 64))

    def forward(self, x):
        mean, log_variance = self.encoder(x).chunk(2, dim=1)
        code = mean + torch.randn_like(mean) * (0.5 * log_variance).exp()
        return self.decoder(code), mean, log_variance


def vae_loss(output, x, mean, log_variance):
    reconstruction = ((output - x) ** 2).mean()
    divergence = -0.5 * (1 + log_variance - mean**2 - log_variance.exp()).sum()
    return (reconstruction + divergence) / len(x)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(143)
    data = torch.tensor(load_digits().data, dtype=torch.float32)
    data = (data - data.mean(0)) / (data.std(0) + 0.1)
    loader = DataLoader(TensorDataset(data[:1500]), batch_size=50, shuffle=True)
    model = VAE()
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    for epoch in range(12):
        for (x,) in loader:
            output, mean, log_variance = model(x)
            loss = vae_loss(output, x, mean, log_variance)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            output, _, _ = model(data[1500:])
        error = (output - data[1500:]).pow(2).mean().item() / data[1500:].var().item()
        print(f"epoch {epoch:2d} loss {loss.item():.4f} unexplained share {error:.3f}")


main()
