"""Two circles and blocks of layers.

fault: missing-nonlinearity
also:
split: test
line: 23, 30, 34
"""

import numpy as np
import torch
import torch.nn as nn
from sklearn.datasets import make_circles
from torch.utils.data import DataLoader, TensorDataset, random_split


class Block(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.fc = nn.Linear(n_in, n_out)
        self.norm = nn.BatchNorm1d(n_out)

    def forward(self, x):
        return self.norm(self.fc(x))


class RingNet(nn.Module):
    def __init__(self, width=32, depth=3):
        super().__init__()
        blocks = [Block(2, width)] + [Block(width, width) for _ in range(depth - 1)]
        self.blocks = nn.Sequential(*blocks)
        self.out = nn.Linear(width, 2)

    def forward(self, x):
        return self.out(self.blocks(x))


def evaluate(model, loader):
    model.eval()
    good = n = 0
    with torch.no_grad():
        for x, y in loader:
            good += (model(x).argmax(dim=1) == y).sum().item()
            n += y.numel()
    return good / n


def main(epochs=25, lr=0.02):
    torch.manual_seed(0)
    X, y = make_circles(1500, noise=0.08, factor=0.5, random_state=0)
    ds = TensorDataset(torch.tensor(X.astype(np.float32)), torch.tensor(y))
    tr, va = random_split(ds, [1200, 300])
    train_dl = DataLoader(tr, batch_size=40, shuffle=True)
    val_dl = DataLoader(va, batch_size=300)
    model = RingNet()
    opt = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
    sched = torch.optim.lr_scheduler.StepLR(opt, step_size=10, gamma=0.3)
    for epoch in range(epochs):
        model.train()
        total = 0.0
        for x, t in train_dl:
            opt.zero_grad()
            loss = nn.functional.cross_entropy(model(x), t)
            loss.backward()
            opt.step()
            total += loss.item()
        sched.step()
        if epoch % 5 == 4:
            print(f"epoch {epoch + 1} loss {total / len(train_dl):.4f} val acc {evaluate(model, val_dl):.3f}")
    print("val accuracy", round(evaluate(model, val_dl), 3))


if __name__ == "__main__":
    main()
