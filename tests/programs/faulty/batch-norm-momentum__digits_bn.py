"""Digits with normalised batches.

fault: batch-norm-momentum
also:
split: test
line: 19
"""

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split


def conv_bn(c_in, c_out):
    return nn.Sequential(
        nn.Conv2d(c_in, c_out, 3, padding=1, bias=False),
        nn.BatchNorm2d(c_out, momentum=0.0005),
        nn.ReLU(inplace=True),
    )


class BNNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = conv_bn(1, 8)
        self.stage1 = conv_bn(8, 16)
        self.pool = nn.MaxPool2d(2)
        self.stage2 = conv_bn(16, 24)
        self.head = nn.Linear(24, 10)

    def forward(self, x):
        x = self.pool(self.stage1(self.stem(x)))
        x = self.stage2(x).mean(dim=(2, 3))
        return self.head(x)


class Runner:
    def __init__(self, model, lr):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.crit = nn.CrossEntropyLoss()

    def fit_epoch(self, loader):
        self.model.train()
        hits = total = n = 0
        for x, y in loader:
            self.opt.zero_grad()
            out = self.model(x)
            loss = self.crit(out, y)
            loss.backward()
            self.opt.step()
            total += loss.item() * len(y)
            hits += (out.argmax(1) == y).sum().item()
            n += len(y)
        return total / n, hits / n

    @torch.no_grad()
    def score(self, loader):
        self.model.eval()
        hits = n = 0
        for x, y in loader:
            hits += (self.model(x).argmax(1) == y).sum().item()
            n += len(y)
        return hits / n


if __name__ == "__main__":
    torch.manual_seed(0)
    d = load_digits()
    imgs = torch.tensor(d.images, dtype=torch.float32).unsqueeze(1)
    imgs = imgs / 16.0
    y = torch.tensor(d.target)
    xa, xb, ya, yb = train_test_split(imgs, y, test_size=0.25, random_state=0)
    train = DataLoader(TensorDataset(xa, ya), batch_size=64, shuffle=True)
    test = DataLoader(TensorDataset(xb, yb), batch_size=128)
    runner = Runner(BNNet(), lr=5e-3)
    for epoch in range(8):
        loss, acc = runner.fit_epoch(train)
        print(f"epoch {epoch + 1}: loss {loss:.4f} train acc {acc:.3f} test acc {runner.score(test):.3f}")
