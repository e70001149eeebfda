"""Weights of one bit with a gradient of their own.

split: test
"""

import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class SignSTE(torch.autograd.Function):
    """Sign in the forward pass; straight-through with a clipped window in the backward pass."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.where(x >= 0, 1.0, -1.0)

    @staticmethod
    def backward(ctx, g):
        x, = ctx.saved_tensors
        return g * (x.abs() <= 1).to(g.dtype)


class BinaryLinear(nn.Linear):
    def forward(self, x):
        alpha = self.weight.abs().mean(1).detach()
        return nn.functional.linear(x, SignSTE.apply(self.weight)) * alpha + self.bias


class BinaryNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.inp = nn.Linear(64, 128)
        self.bn1 = nn.BatchNorm1d(128)
        self.mid = BinaryLinear(128, 128)
        self.bn2 = nn.BatchNorm1d(128)
        self.out = nn.Linear(128, 10)

    def forward(self, x):
        h = SignSTE.apply(self.bn1(self.inp(x)))
        h = SignSTE.apply(self.bn2(self.mid(h)))
        return self.out(h)


def accuracy(net, x, y):
    net.eval()
    with torch.no_grad():
        return (net(x).argmax(1) == y).float().mean().item()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(9)
    X, y = load_digits(return_X_y=True)
    xtr, xte, ytr, yte = train_test_split(X, y, test_size=0.25, random_state=9, stratify=y)
    xtr, xte = (torch.tensor(a / 8.0 - 1.0, dtype=torch.float32) for a in (xtr, xte))
    ytr, yte = torch.tensor(ytr), torch.tensor(yte)
    loader = DataLoader(TensorDataset(xtr, ytr), batch_size=64, shuffle=True, drop_last=True)
    net = BinaryNet()
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    lossf = nn.CrossEntropyLoss(label_smoothing=0.1)
    for epoch in range(15):
        net.train()
        seen = 0.0
        for xb, yb in loader:
            opt.zero_grad()
            loss = lossf(net(xb), yb)
            loss.backward()
            opt.step()
            with torch.no_grad():
                net.mid.weight.clamp_(-1, 1)
            seen += loss.item()
        print(f"epoch {epoch:2d} loss {seen / len(loader):.4f} test acc {accuracy(net, xte, yte):.4f}")


if __name__ == "__main__":
    main()
