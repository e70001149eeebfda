"""A trainer class on the breast cancer data.

fault: preprocessing-differs
also: 
split: test
line: 80
"""

import argparse

import torch
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from torch import nn
from torch.utils.data import DataLoader, Dataset


class TumourSet(Dataset):
    def __init__(self, X, y, mean=None, std=None):
        self.X = torch.as_tensor(X, dtype=torch.float32)
        self.y = torch.as_tensor(y, dtype=torch.float32)
        self.mean, self.std = mean, std

    def __len__(self):
        return len(self.X)

    def __getitem__(self, i):
        x = self.X[i]
        if self.mean is not None:
            x = (x - self.mean) / self.std
        return x, self.y[i]


class Trainer:
    def __init__(self, model, lr):
        self.model = model
        self.opt = torch.optim.RMSprop(model.parameters(), lr=lr)
        self.loss = nn.BCEWithLogitsLoss()

    def fit(self, train, valid, epochs):
        for ep in range(epochs):
            self.model.train()
            total = 0.0
            for x, y in train:
                self.opt.zero_grad()
                out = self.model(x).squeeze(-1)
                loss = self.loss(out, y)
                loss.backward()
                self.opt.step()
                total += loss.item()
            vl, acc = self.validate(valid)
            print(f"epoch {ep} train_loss {total / len(train):.4f} val_loss {vl:.4f} val_acc {acc:.3f}")

    @torch.no_grad()
    def validate(self, loader):
        self.model.eval()
        loss, right, n = 0.0, 0, 0
        for x, y in loader:
            out = self.model(x).squeeze(-1)
            loss += self.loss(out, y).item() * len(y)
            right += ((out > 0) == (y > 0.5)).sum().item()
            n += len(y)
        return loss / n, right / n


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=15)
    ap.add_argument("--lr", type=float, default=1e-3)
    ap.add_argument("--batch-size", type=int, default=32)
    args = ap.parse_args()

    torch.set_num_threads(1)
    torch.manual_seed(21)
    X, y = load_breast_cancer(return_X_y=True)
    Xtr, Xva, ytr, yva = train_test_split(X, y, test_size=0.25, random_state=1)
    mean = torch.tensor(Xtr.mean(0), dtype=torch.float32)
    std = torch.tensor(Xtr.std(0), dtype=torch.float32)
    train = DataLoader(TumourSet(Xtr, ytr, mean, std), args.batch_size, shuffle=True)
    valid = DataLoader(TumourSet(Xva, yva), 128)
    model = nn.Sequential(nn.Linear(30, 24), nn.ReLU(), nn.Dropout(0.1), nn.Linear(24, 1))
    Trainer(model, args.lr).fit(train, valid, args.epochs)


if __name__ == "__main__":
    main()
