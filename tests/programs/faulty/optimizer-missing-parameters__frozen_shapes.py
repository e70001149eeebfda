"""Shapes on noisy pictures: features of some kinds, a new head for others.

fault: optimizer-missing-parameters
also:
split: test
line: 85, 84
"""

import argparse

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def draw(n, kinds, gen):
    """Images of bars, crosses, rings and blobs with noise."""
    yy, xx = torch.meshgrid(torch.arange(16.0), torch.arange(16.0), indexing="ij")
    labels = torch.randint(0, len(kinds), (n,), generator=gen)
    images = []
    for k in labels.tolist():
        cx, cy = (torch.rand(2, generator=gen) * 6 + 5).tolist()
        r = ((xx - cx) ** 2 + (yy - cy) ** 2).sqrt()
        kind = kinds[k]
        if kind == "ring":
            img = ((r - 4).abs() < 1).float()
        elif kind == "blob":
            img = (r < 3).float()
        elif kind == "bar":
            img = ((xx - cx).abs() < 1).float()
        elif kind == "beam":
            img = ((yy - cy).abs() < 1).float()
        elif kind == "cross":
            img = (((xx - cx).abs() < 1) | ((yy - cy).abs() < 1)).float()
        else:
            img = ((xx - cx + yy - cy).abs() < 1.5).float()
        images.append(img)
    x = torch.stack(images).unsqueeze(1)
    x = x + 0.3 * torch.randn(x.shape, generator=gen)
    return (x - x.mean()) / x.std(), labels


class SmallConv(nn.Module):
    def __init__(self, n_classes):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 12, 3, padding=1), nn.BatchNorm2d(12), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(12, 24, 3, padding=1), nn.BatchNorm2d(24), nn.ReLU(), nn.AdaptiveAvgPool2d(2),
        )
        self.fc = nn.Linear(96, n_classes)

    def forward(self, x):
        return self.fc(torch.flatten(self.features(x), 1))


def fit(model, optimizer, loader, epochs, tag):
    lossf = nn.CrossEntropyLoss()
    for ep in range(epochs):
        model.train()
        s = 0.0
        for xb, yb in loader:
            optimizer.zero_grad()
            l = lossf(model(xb), yb)
            l.backward()
            optimizer.step()
            s += l.item()
        print(f"{tag} {ep}: {s / len(loader):.3f}")


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--epochs", type=int, default=6)
    args = ap.parse_args()
    torch.manual_seed(0)
    gen = torch.Generator().manual_seed(5)

    model = SmallConv(5)
    pre = DataLoader(TensorDataset(*draw(1200, ["ring", "bar", "cross", "blob", "beam"], gen)), 45, shuffle=True)
    fit(model, torch.optim.Adam(model.parameters(), lr=args.lr), pre, 4, "pretrain")

    for p in model.features.parameters():
        p.requires_grad = False
    optimizer = torch.optim.Adam(model.fc.parameters(), lr=args.lr * 3)
    model.fc = nn.Linear(model.fc.in_features, 5)
    kinds = ["diag", "beam", "bar", "ring", "blob"]
    train = DataLoader(TensorDataset(*draw(1500, kinds, gen)), 30, shuffle=True)
    xt, yt = draw(500, kinds, gen)
    fit(model, optimizer, train, args.epochs, "finetune")
    model.eval()
    with torch.no_grad():
        print("test accuracy", (model(xt).argmax(1) == yt).float().mean().item())


if __name__ == "__main__":
    main()
