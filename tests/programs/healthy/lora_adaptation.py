"""Pretrain a classifier on upright digits, then adapt it to rotated ones with low-rank updates; the base stays frozen.

split: test
"""
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits


class LoRALinear(nn.Module):
    def __init__(self, base, rank=8, alpha=16.0):
        super().__init__()
        self.base = base.requires_grad_(False)
        self.A = nn.Parameter(torch.randn(rank, base.in_features) / base.in_features ** 0.5)
        self.B = nn.Parameter(torch.zeros(base.out_features, rank))      # starts as the base layer itself
        self.scale = alpha / rank

    def forward(self, x):
        return self.base(x) + self.scale * (x @ self.A.T) @ self.B.T


def fit(net, X, y, params, lr, epochs):
    opt = torch.optim.AdamW(params, lr=lr, weight_decay=0.01)
    for epoch in range(1, epochs + 1):
        net.train()
        total = 0.0
        for idx in torch.randperm(len(y)).split(50):
            loss = F.cross_entropy(net(X[idx]), y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(idx)
        if epoch % 10 == 0:
            print(f"  epoch {epoch} loss {total / len(y):.4f}")


@torch.no_grad()
def accuracy(net, X, y):
    net.eval()
    return (net(X).argmax(1) == y).float().mean().item()


def main():
    torch.manual_seed(0)
    d = load_digits()
    perm = torch.randperm(len(d.target))
    img, y = (torch.tensor(d.images, dtype=torch.float32) / 16)[perm], torch.tensor(d.target)[perm]
    up, rot = img.flatten(1), torch.rot90(img, 1, (1, 2)).flatten(1)
    A, B, T = slice(0, 600), slice(600, 1300), slice(1300, None)     # pretraining, adaptation, test
    net = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, 10))
    print("pretraining")
    fit(net, up[A], y[A], net.parameters(), 1e-3, 30)
    print(f"upright {accuracy(net, up[T], y[T]):.4f} rotated {accuracy(net, rot[T], y[T]):.4f}")
    for i in (0, 2, 4):
        net[i] = LoRALinear(net[i])
    trainable = [p for p in net.parameters() if p.requires_grad]
    n_train, n_all = sum(p.numel() for p in trainable), sum(p.numel() for p in net.parameters())
    print(f"adapting {n_train} of {n_all} parameters")
    fit(net, rot[B], y[B], trainable, 5e-3, 40)
    print(f"rotated digits after adaptation {accuracy(net, rot[T], y[T]):.4f}")


if __name__ == "__main__":
    main()
