"""Wine cultivars: 5-fold cross-validated search over width and dropout, then an ensemble scored on a held-out test set.

split: test
"""
import itertools

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_wine
from sklearn.model_selection import StratifiedKFold, train_test_split
from sklearn.preprocessing import StandardScaler


def make_net(width, drop):
    return nn.Sequential(nn.Linear(13, width), nn.ReLU(), nn.Dropout(drop), nn.Linear(width, 3))


def train(X, y, width, drop, seed, X_val=None, y_val=None, max_epochs=60, patience=10):
    torch.manual_seed(seed)
    net = make_net(width, drop)
    opt = torch.optim.Adam(net.parameters(), lr=1e-2, weight_decay=1e-3)
    best, best_epoch = float("inf"), max_epochs
    for epoch in range(max_epochs):
        net.train()
        for idx in torch.randperm(len(y)).split(16):
            loss = F.cross_entropy(net(X[idx]), y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
        if X_val is not None:
            net.eval()
            with torch.no_grad():
                v = F.cross_entropy(net(X_val), y_val).item()
            if v < best:
                best, best_epoch = v, epoch + 1
            elif epoch + 1 - best_epoch >= patience:
                break
    net.eval()
    return net, best, best_epoch


def as_tensor(a):
    return torch.tensor(a, dtype=torch.float32)


def main():
    X, y = load_wine(return_X_y=True)
    X, X_test, y, y_test = train_test_split(X, y, test_size=0.3, stratify=y, random_state=0)
    results = {}
    for width, drop in itertools.product([8, 32], [0.0, 0.6]):
        scores, epochs = [], []
        for fold, (a, b) in enumerate(StratifiedKFold(5, shuffle=True, random_state=0).split(X, y)):
            sc = StandardScaler().fit(X[a])
            _, v, e = train(as_tensor(sc.transform(X[a])), torch.tensor(y[a]), width, drop, fold,
                            as_tensor(sc.transform(X[b])), torch.tensor(y[b]))
            scores.append(v)
            epochs.append(e)
        results[width, drop] = np.mean(scores), int(np.mean(epochs))
        print(f"width {width:2d} dropout {drop:.1f}: cv loss {np.mean(scores):.4f} after {np.mean(epochs):.0f} epochs")
    (width, drop), (_, n_epochs) = min(results.items(), key=lambda kv: kv[1][0])
    print(f"chosen: width {width}, dropout {drop}, {n_epochs} epochs")
    sc = StandardScaler().fit(X)
    Xa, ya, Xt = as_tensor(sc.transform(X)), torch.tensor(y), as_tensor(sc.transform(X_test))
    nets = [train(Xa, ya, width, drop, 100 + s, max_epochs=n_epochs)[0] for s in range(5)]
    with torch.no_grad():
        p = torch.stack([n(Xt).softmax(1) for n in nets]).mean(0)
    print(f"ensemble test accuracy {(p.argmax(1).numpy() == y_test).mean():.4f}")


if __name__ == "__main__":
    main()
