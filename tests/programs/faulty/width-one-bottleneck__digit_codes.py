"""Codes of digits.

fault: width-one-bottleneck
also:
split: test
line: 36, 48
"""

import argparse
import torch
import torch.nn as nn
from torch.utils.data import DataLoader
from sklearn.datasets import load_digits


class ConvAE(nn.Module):
    def __init__(self, code_dim):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Conv2d(1, 16, 3, stride=2, padding=1), nn.ReLU(),
            nn.Conv2d(16, 32, 3, stride=2, padding=1), nn.ReLU(),
            nn.Flatten(), nn.Linear(32 * 4, code_dim))
        self.decoder = nn.Sequential(
            nn.Linear(code_dim, 32 * 4), nn.ReLU(), nn.Unflatten(1, (32, 2, 2)),
            nn.ConvTranspose2d(32, 16, 4, stride=2, padding=1), nn.ReLU(),
            nn.ConvTranspose2d(16, 1, 4, stride=2, padding=1), nn.Sigmoid())

    def forward(self, x):
        return self.decoder(self.encoder(x))


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=25)
    p.add_argument("--lr", type=float, default=3e-3)
    p.add_argument("--code-dim", type=int, default=1)
    p.add_argument("--batch-size", type=int, default=64)
    return p.parse_args()


def main():
    args = parse()
    torch.manual_seed(0)
    images = torch.tensor(load_digits().images, dtype=torch.float32).unsqueeze(1) / 16
    images = images[torch.randperm(len(images))]
    train, test = images[:1500], images[1500:]
    loader = DataLoader(train, batch_size=args.batch_size, shuffle=True)
    model = ConvAE(args.code_dim)
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    for epoch in range(args.epochs):
        model.train()
        total = 0.0
        for x in loader:
            loss = nn.functional.mse_loss(model(x), x)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(x)
        if epoch % 5 == 4:
            print(f"epoch {epoch + 1}: mse {total / len(train):.4f}")
    model.eval()
    with torch.no_grad():
        mse = nn.functional.mse_loss(model(test), test).item()
        mean_mse = nn.functional.mse_loss(train.mean(0).expand_as(test), test).item()
    print(f"test mse {mse:.4f}, share of variance explained {1 - mse / mean_mse:.3f}")


if __name__ == "__main__":
    main()
