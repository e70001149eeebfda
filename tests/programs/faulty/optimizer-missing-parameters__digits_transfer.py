"""Digits by parity first, then all ten with a new head on the same features.

fault: optimizer-missing-parameters
also:
split: train
line: 68, 69
"""

import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(3)


class Net(nn.Module):
    def __init__(self, n_out):
        super().__init__()
        self.backbone = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(),
            nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Flatten(),
        )
        self.head = nn.Linear(32 * 16, n_out)

    def forward(self, x):
        return self.head(self.backbone(x))


def loader(x, y, shuffle):
    return DataLoader(TensorDataset(x, y), batch_size=64, shuffle=shuffle)


def fit(model, dl, opt, epochs, tag):
    loss_fn = nn.CrossEntropyLoss()
    for ep in range(epochs):
        model.train()
        tot = 0.0
        for xb, yb in dl:
            opt.zero_grad()
            loss = loss_fn(model(xb), yb)
            loss.backward()
            opt.step()
            tot += loss.item() * len(xb)
        print(f"[{tag}] epoch {ep + 1} loss {tot / len(dl.dataset):.4f}")


@torch.no_grad()
def accuracy(model, dl):
    model.eval()
    return sum((model(x).argmax(1) == y).sum().item() for x, y in dl) / len(dl.dataset)


def main():
    d = load_digits()
    X = torch.tensor(d.images / 16.0, dtype=torch.float32).unsqueeze(1)
    y = torch.tensor(d.target)
    # stage 1: even / odd, stage 2: all ten digits
    Xtr, Xte, ytr, yte = train_test_split(X, y, test_size=0.25, random_state=0, stratify=y)
    model = Net(2)
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    fit(model, loader(Xtr, ytr % 2, True), opt, 6, "parity")

    for p in model.backbone.parameters():
        p.requires_grad = False
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    model.head = nn.Linear(32 * 16, 10)
    fit(model, loader(Xtr, ytr, True), opt, 10, "digits")
    print("test accuracy", round(accuracy(model, loader(Xte, yte, False)), 4))


if __name__ == "__main__":
    main()
