"""A denoising autoencoder on the 8x8 digits.

fault: scheduler-too-often
also:
split: test
line: 37
"""

import argparse

import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from torch.optim.lr_scheduler import StepLR
from torch.utils.data import DataLoader, TensorDataset


class DenoisingAE(nn.Module):
    def __init__(self, code=24):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, code))
        self.dec = nn.Sequential(nn.ReLU(), nn.Linear(code, 128), nn.ReLU(), nn.Linear(128, 64))

    def forward(self, x):
        return self.dec(self.enc(x))


def train_one_epoch(model, loader, criterion, optimizer, scheduler, noise):
    model.train()
    running = 0.0
    for (clean,) in loader:
        noisy = clean + noise * torch.randn_like(clean)
        loss = criterion(model(noisy), clean)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
        running += loss.item() * clean.size(0)
    return running / len(loader.dataset)


@torch.no_grad()
def explained(model, dataset, noise):
    model.eval()
    clean = torch.stack([row[0] for row in dataset])
    gen = torch.Generator().manual_seed(0)
    noisy = clean + noise * torch.randn(clean.shape, generator=gen)
    return (1 - ((model(noisy) - clean) ** 2).sum() / ((clean - clean.mean(0)) ** 2).sum()).item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=40)
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--step-size", type=int, default=15, help="epochs between lr drops")
    ap.add_argument("--gamma", type=float, default=0.3)
    ap.add_argument("--noise", type=float, default=0.4)
    args = ap.parse_args()
    torch.manual_seed(6)

    x = torch.tensor(load_digits().data, dtype=torch.float32)
    x = x[torch.randperm(len(x))]
    x = (x - x[:1400].mean()) / x[:1400].std()
    train, val = TensorDataset(x[:1400]), TensorDataset(x[1400:])
    loader = DataLoader(train, batch_size=64, shuffle=True)

    model = DenoisingAE()
    criterion = nn.MSELoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    scheduler = StepLR(optimizer, step_size=args.step_size, gamma=args.gamma)
    for epoch in range(1, args.epochs + 1):
        loss = train_one_epoch(model, loader, criterion, optimizer, scheduler, args.noise)
        if epoch % 5 == 0:
            print(f"Epoch {epoch}/{args.epochs} - loss {loss:.4f} - val explained variance {explained(model, val, args.noise):.3f}")


if __name__ == "__main__":
    main()
