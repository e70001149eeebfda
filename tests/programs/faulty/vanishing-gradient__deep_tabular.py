"""A deep perceptron for the breast cancer table.

fault: vanishing-gradient
also:
split: train
line: 38
"""
import argparse
import torch
import torch.nn as nn
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler


def mlp(sizes, act):
    layers = []
    for a, b in zip(sizes[:-2], sizes[1:-1]):
        layers += [nn.Linear(a, b), act()]
    return nn.Sequential(*layers, nn.Linear(sizes[-2], sizes[-1]))


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--depth", type=int, default=6)
    p.add_argument("--width", type=int, default=32)
    p.add_argument("--lr", type=float, default=0.02)
    p.add_argument("--epochs", type=int, default=20)
    a = p.parse_args()
    torch.manual_seed(0)
    torch.set_num_threads(1)
    X, y = load_breast_cancer(return_X_y=True)
    Xa, Xb, ya, yb = train_test_split(X, y, test_size=0.3, random_state=0, stratify=y)
    sc = StandardScaler().fit(Xa)
    Xa = torch.tensor(sc.transform(Xa), dtype=torch.float32)
    Xb = torch.tensor(sc.transform(Xb), dtype=torch.float32)
    ya, yb = torch.tensor(ya), torch.tensor(yb)
    net = mlp([30] + [a.width] * a.depth + [2], nn.Sigmoid)
    opt = torch.optim.SGD(net.parameters(), lr=a.lr, momentum=0.9)
    for ep in range(a.epochs):
        for i in torch.randperm(len(Xa)).split(32):
            loss = nn.functional.cross_entropy(net(Xa[i]), ya[i])
            opt.zero_grad()
            loss.backward()
            opt.step()
        if ep % 4 == 3:
            with torch.no_grad():
                acc = (net(Xb).argmax(1) == yb).float().mean()
            print(f"epoch {ep + 1} loss {loss.item():.4f} test acc {acc:.4f}")


main()
