"""A net that learns labels of prepared pairs.

fault: labels-independent-of-inputs
also:
split: test
line: 22, 23
"""

import numpy as np
import torch
from torch import nn, optim
from sklearn.datasets import load_digits


def get_data(seed=0):
    rng = np.random.RandomState(seed)
    X, y = load_digits(return_X_y=True)
    X = X.astype(np.float32) / 16.0
    n_test = 400
    X_test, y_test = X[-n_test:], y[-n_test:]
    X_train, y_train = X[:-n_test], y[:-n_test]
    X_train = X_train[rng.permutation(len(X_train))]
    y_train = y_train[rng.permutation(len(y_train))]
    return map(torch.from_numpy, (X_train, y_train, X_test, y_test))


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        layers = []
        for a, b in zip(sizes[:-2], sizes[1:-1]):
            layers += [nn.Linear(a, b), nn.ReLU()]
        layers.append(nn.Linear(sizes[-2], sizes[-1]))
        self.net = nn.Sequential(*layers)

    def forward(self, x):
        return self.net(x)


def main():
    torch.manual_seed(0)
    X_train, y_train, X_test, y_test = get_data()
    model = MLP([64, 128, 64, 10])
    optimizer = optim.Adam(model.parameters(), lr=1e-3)
    criterion = nn.CrossEntropyLoss()
    batch = 32
    for epoch in range(30):
        model.train()
        running, hits = 0.0, 0
        for i in range(0, len(X_train), batch):
            xb, yb = X_train[i:i + batch], y_train[i:i + batch]
            out = model(xb)
            loss = criterion(out, yb)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            running += loss.item() * len(xb)
            hits += (out.argmax(1) == yb).sum().item()
        if (epoch + 1) % 5 == 0:
            model.eval()
            with torch.no_grad():
                acc = (model(X_test).argmax(1) == y_test).float().mean().item()
            print(f"epoch {epoch + 1} loss {running / len(X_train):.3f} "
                  f"train acc {hits / len(X_train):.3f} test acc {acc:.3f}")


if __name__ == "__main__":
    main()
