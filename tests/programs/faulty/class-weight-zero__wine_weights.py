"""Wines with weights of the classes.

fault: class-weight-zero
also:
split: test
line: 20, 19, 53
"""

import numpy as np
import torch
import torch.nn as nn
from sklearn.datasets import load_wine
from sklearn.metrics import classification_report, balanced_accuracy_score
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler


def class_weights(labels, n_classes):
    weights = torch.zeros(n_classes)
    for c in range(1, n_classes):
        weights[c] = len(labels) / (n_classes * (labels == c).sum())
    return weights


def batches(n, size, rng):
    order = rng.permutation(n)
    for i in range(0, n, size):
        yield order[i:i + size]


class WineNet(nn.Module):
    def __init__(self, n_in, n_classes):
        super().__init__()
        self.fc1 = nn.Linear(n_in, 32)
        self.bn = nn.BatchNorm1d(32)
        self.fc2 = nn.Linear(32, n_classes)

    def forward(self, x):
        return self.fc2(torch.relu(self.bn(self.fc1(x))))


def main():
    torch.manual_seed(0)
    rng = np.random.default_rng(0)
    X, y = load_wine(return_X_y=True)
    Xtr, Xte, ytr, yte = train_test_split(X, y, test_size=0.3, stratify=y, random_state=2)
    sc = StandardScaler().fit(Xtr)
    Xtr = torch.tensor(sc.transform(Xtr), dtype=torch.float32)
    Xte = torch.tensor(sc.transform(Xte), dtype=torch.float32)
    ytr, yte = torch.tensor(ytr), torch.tensor(yte)

    net = WineNet(X.shape[1], 3)
    loss_fn = nn.CrossEntropyLoss(weight=class_weights(ytr, 3))
    opt = torch.optim.RMSprop(net.parameters(), lr=1e-3)
    for epoch in range(80):
        net.train()
        total = 0.0
        for idx in batches(len(Xtr), 16, rng):
            if len(idx) < 2:
                continue
            opt.zero_grad()
            loss = loss_fn(net(Xtr[idx]), ytr[idx])
            loss.backward()
            opt.step()
            total += loss.item()
        if epoch % 20 == 0:
            print("epoch", epoch, "loss", round(total, 4))
    net.eval()
    with torch.no_grad():
        pred = net(Xte).argmax(1)
    print(classification_report(yte, pred, zero_division=0))
    print("balanced accuracy", round(balanced_accuracy_score(yte, pred), 3))


if __name__ == "__main__":
    main()
