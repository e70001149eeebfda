"""A network is trained on one task and fine-tuned on another with a new head.

fault: optimizer-missing-parameters
also: 
split: test
line: 85
"""

import argparse
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, TensorDataset, random_split

torch.set_num_threads(1)


class Net(nn.Module):
    def __init__(self, num_classes):
        super().__init__()
        self.backbone = nn.Sequential(
            nn.Linear(64, 128), nn.ReLU(),
            nn.Linear(128, 64), nn.ReLU(),
        )
        self.head = nn.Linear(64, num_classes)

    def forward(self, x):
        return self.head(self.backbone(x))


def load_subset(classes):
    d = load_digits()
    x = torch.tensor(d.data, dtype=torch.float32)
    x = (x - x.mean(0)) / (x.std(0) + 1e-2)
    y = torch.tensor(d.target)
    keep = torch.isin(y, torch.tensor(classes))
    lookup = torch.full((10,), -1)
    for i, c in enumerate(classes):
        lookup[c] = i
    ds = TensorDataset(x[keep], lookup[y[keep]])
    n_val = len(ds) // 5
    return random_split(ds, [len(ds) - n_val, n_val])


def run(model, optimizer, train_ds, val_ds, epochs, tag):
    loader = DataLoader(train_ds, batch_size=32, shuffle=True)
    val_loader = DataLoader(val_ds, batch_size=256)
    for ep in range(epochs):
        model.train()
        total = 0.0
        for x, y in loader:
            optimizer.zero_grad()
            loss = F.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
            total += loss.item() * len(x)
        model.eval()
        with torch.no_grad():
            acc = sum((model(x).argmax(1) == y).sum().item() for x, y in val_loader) / len(val_ds)
        print(f"{tag} epoch {ep}: loss={total / len(train_ds):.4f} val_acc={acc:.3f}")
    return acc


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--pretrain-epochs", type=int, default=10)
    p.add_argument("--epochs", type=int, default=20)
    p.add_argument("--lr", type=float, default=3e-3)
    p.add_argument("--head-lr", type=float, default=2e-2)
    p.add_argument("--seed", type=int, default=5)
    args = p.parse_args()
    torch.manual_seed(args.seed)

    # stage 1: source task, digits 0-4 and 5-6
    train_ds, val_ds = load_subset([0, 1, 2, 3, 4, 5, 6])
    model = Net(7)
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    run(model, opt, train_ds, val_ds, args.pretrain_epochs, "pretrain")

    # stage 2: keep the features, learn a new head for 7, 8, 9
    train_ds, val_ds = load_subset([7, 8, 9])
    for prm in model.backbone.parameters():
        prm.requires_grad_(False)
    opt = torch.optim.Adam(model.head.parameters(), lr=args.head_lr)
    model.head = nn.Linear(64, 3)
    acc = run(model, opt, train_ds, val_ds, args.epochs, "finetune")
    print(f"final accuracy on target task: {acc:.3f}")


if __name__ == "__main__":
    main()
