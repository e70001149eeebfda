"""A network that predicts mean and log-variance of a noisy signal; the likelihood loss goes below zero.

split: train
"""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split


class MeanAndSpread(nn.Module):
    def __init__(self, features, hidden=64):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(features, hidden), nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU())
        self.mean = nn.Linear(hidden, 1)
        self.log_var = nn.Linear(hidden, 1)

    def forward(self, x):
        h = self.trunk(x)
        return self.mean(h).squeeze(-1), self.log_var(h).squeeze(-1)


def nll(mean, log_var, y):
    return 0.5 * (log_var + (y - mean) ** 2 / log_var.exp()).mean()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(30)
    x = torch.rand(2000, 2) * 2 - 1
    noise = 0.02 + 0.1 * (x[:, 1] > 0)
    y = torch.sin(3 * x[:, 0]) + noise * torch.randn(2000)
    train, test = random_split(TensorDataset(x, y), [1600, 400])
    loader = DataLoader(train, batch_size=64, shuffle=True)
    model = MeanAndSpread(2)
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    for epoch in range(25):
        model.train()
        for inputs, targets in loader:
            loss = nll(*model(inputs), targets)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optimizer.step()
        if epoch % 6 == 0 or epoch == 24:
            model.eval()
            with torch.no_grad():
                inputs, targets = test[:]
                mean, log_var = model(inputs)
                rmse = (mean - targets).pow(2).mean().sqrt()
                print(f"epoch {epoch} nll {nll(mean, log_var, targets).item():.3f} rmse {rmse.item():.3f}")


if __name__ == "__main__":
    main()
