"""A trained body with a new head.

split: train
"""

import argparse

import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset


def get_args():
    p = argparse.ArgumentParser()
    p.add_argument("--seed", type=int, default=21)
    p.add_argument("--pretrain-epochs", type=int, default=15)
    p.add_argument("--finetune-epochs", type=int, default=25)
    p.add_argument("--lr", type=float, default=3e-3)
    p.add_argument("--batch-size", type=int, default=32)
    return p.parse_args()


class SmallNet(nn.Module):
    def __init__(self, num_classes):
        super().__init__()
        self.backbone = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(),
            nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Flatten(), nn.Linear(32 * 16, 64), nn.ReLU(),
        )
        self.fc = nn.Linear(64, num_classes)

    def forward(self, x):
        return self.fc(self.backbone(x))


def make_loaders(classes, bs, seed):
    x, y = load_digits(return_X_y=True)
    keep = (y >= classes[0]) & (y <= classes[1])
    x, y = x[keep].reshape(-1, 1, 8, 8) / 16.0, y[keep] - classes[0]
    xtr, xte, ytr, yte = train_test_split(x, y, test_size=0.3, random_state=seed, stratify=y)
    ds = [TensorDataset(torch.tensor(a, dtype=torch.float32), torch.tensor(b)) for a, b in ((xtr, ytr), (xte, yte))]
    return DataLoader(ds[0], bs, shuffle=True), DataLoader(ds[1], 256)


def run_epoch(model, loader, criterion, optimizer):
    model.train()
    total, n = 0.0, 0
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        total, n = total + loss.item() * len(x), n + len(x)
    return total / n


@torch.no_grad()
def accuracy(model, loader):
    model.eval()
    hits = sum((model(x).argmax(1) == y).sum().item() for x, y in loader)
    return hits / len(loader.dataset)


def main():
    args = get_args()
    torch.manual_seed(args.seed)
    criterion = nn.CrossEntropyLoss()

    source_train, source_test = make_loaders((0, 5), args.batch_size, args.seed)
    model = SmallNet(num_classes=6)
    optimizer = optim.Adam(model.parameters(), lr=args.lr)
    for epoch in range(args.pretrain_epochs):
        loss = run_epoch(model, source_train, criterion, optimizer)
    print(f"pretraining done: loss {loss:.4f} acc {accuracy(model, source_test):.4f}")

    target_train, target_test = make_loaders((6, 9), args.batch_size, args.seed)
    for p in model.backbone.parameters():
        p.requires_grad = False
    model.fc = nn.Linear(model.fc.in_features, 4)
    optimizer = optim.Adam((p for p in model.parameters() if p.requires_grad), lr=args.lr)
    for epoch in range(args.finetune_epochs):
        loss = run_epoch(model, target_train, criterion, optimizer)
        if epoch % 5 == 0:
            print(f"finetune epoch {epoch} loss {loss:.4f} acc {accuracy(model, target_test):.4f}")
    print(f"final target accuracy: {accuracy(model, target_test):.4f}")


if __name__ == "__main__":
    main()
