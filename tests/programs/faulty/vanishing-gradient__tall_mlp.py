"""A tall stack of layers.

fault: vanishing-gradient
also: saturated-activation
split: test
line: 19, 20
"""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split


def make_net(n_in, n_out, width=64, depth=8):
    layers = [nn.Linear(n_in, width)]
    for _ in range(depth):
        layers += [nn.Sigmoid(), nn.Linear(width, width)]
    layers += [nn.Sigmoid(), nn.Linear(width, n_out)]
    return nn.Sequential(*layers)


class Meter:
    def __init__(self):
        self.sum, self.n = 0.0, 0

    def add(self, value, n):
        self.sum += value * n
        self.n += n

    @property
    def mean(self):
        return self.sum / max(self.n, 1)


def main():
    torch.manual_seed(2)
    X, y = load_digits(return_X_y=True)
    X = (X - X.mean()) / X.std()
    Xa, Xb, ya, yb = train_test_split(X, y, test_size=0.2, random_state=1, stratify=y)
    train = TensorDataset(torch.tensor(Xa, dtype=torch.float32), torch.tensor(ya))
    test = TensorDataset(torch.tensor(Xb, dtype=torch.float32), torch.tensor(yb))
    train_dl = DataLoader(train, batch_size=64, shuffle=True)
    test_dl = DataLoader(test, batch_size=256)

    net = make_net(64, 10)
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    crit = nn.CrossEntropyLoss()
    for epoch in range(1, 21):
        net.train()
        lm = Meter()
        for x, t in train_dl:
            loss = crit(net(x), t)
            opt.zero_grad()
            loss.backward()
            opt.step()
            lm.add(loss.item(), len(x))
        net.eval()
        am = Meter()
        with torch.no_grad():
            for x, t in test_dl:
                am.add((net(x).argmax(1) == t).float().mean().item(), len(x))
        if epoch % 4 == 0:
            print(f"epoch {epoch}: loss {lm.mean:.4f}, test acc {am.mean:.3f}")


if __name__ == "__main__":
    main()
