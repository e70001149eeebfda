"""Iterative magnitude pruning: train, prune, rewind the survivors to their initial values, train again.

split: train
"""
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits


def build():
    return nn.Sequential(nn.Linear(64, 100), nn.ReLU(), nn.Linear(100, 50), nn.ReLU(), nn.Linear(50, 10))


def weights(net):
    return [m.weight for m in net if isinstance(m, nn.Linear)]


def train(net, masks, X, y, epochs=20, lr=2e-3):
    opt = torch.optim.Adam(net.parameters(), lr=lr)
    for _ in range(epochs):
        for idx in torch.randperm(len(y)).split(64):
            loss = F.cross_entropy(net(X[idx]), y[idx])
            opt.zero_grad()
            loss.backward()
            for w, m in zip(weights(net), masks):
                w.grad.mul_(m)
            opt.step()
    return loss.item()


def main():
    torch.manual_seed(0)
    X, y = load_digits(return_X_y=True)
    perm = torch.randperm(len(y))
    X, y = (torch.tensor(X, dtype=torch.float32) / 16)[perm], torch.tensor(y)[perm]
    Xtr, ytr, Xte, yte = X[:1300], y[:1300], X[1300:], y[1300:]
    net = build()
    initial = copy.deepcopy(net.state_dict())
    masks = [torch.ones_like(w) for w in weights(net)]
    for rnd in range(6):
        loss = train(net, masks, Xtr, ytr)
        kept = sum(m.sum().item() for m in masks) / sum(m.numel() for m in masks)
        with torch.no_grad():
            acc = (net(Xte).argmax(1) == yte).float().mean().item()
        print(f"round {rnd}: {100 * kept:5.1f}% of the weights left, last loss {loss:.4f}, test accuracy {acc:.4f}")
        if rnd == 5:
            break
        # drop the 40% smallest surviving weights of every layer, then rewind
        for i, w in enumerate(weights(net)):
            alive = w.detach().abs()[masks[i] > 0]
            masks[i] = masks[i] * (w.detach().abs() > alive.quantile(0.4))
        net.load_state_dict(initial)
        with torch.no_grad():
            for w, m in zip(weights(net), masks):
                w.mul_(m)


if __name__ == "__main__":
    main()
