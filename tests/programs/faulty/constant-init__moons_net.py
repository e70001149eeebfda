"""Two moons and a small net.

fault: constant-init
also:
split: test
line: 17, 16, 28
"""

import torch
import torch.nn as nn
from sklearn.datasets import make_moons
from sklearn.model_selection import train_test_split


def init_weights(m):
    if isinstance(m, nn.Linear):
        nn.init.constant_(m.weight, 0.1)
        nn.init.zeros_(m.bias)


class Classifier(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.inp = nn.Linear(2, hidden)
        self.mid = nn.Linear(hidden, hidden)
        self.out = nn.Linear(hidden, 1)
        self.act = nn.Tanh()
        self.apply(init_weights)

    def forward(self, x):
        x = self.act(self.inp(x))
        x = self.act(self.mid(x))
        return self.out(x).squeeze(-1)


def accuracy(model, x, y):
    model.eval()
    with torch.no_grad():
        return ((model(x) > 0).float() == y).float().mean().item()


def main():
    torch.manual_seed(0)
    X, y = make_moons(1200, noise=0.12, random_state=0)
    X = (X - X.mean(0)) / X.std(0)
    Xa, Xb, ya, yb = train_test_split(X, y, test_size=0.25, random_state=0)
    Xa, Xb, ya, yb = (torch.tensor(a, dtype=torch.float32) for a in (Xa, Xb, ya, yb))

    model = Classifier()
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    loss_fn = nn.BCEWithLogitsLoss()
    for epoch in range(60):
        model.train()
        perm = torch.randperm(len(Xa))
        total = 0.0
        for idx in perm.split(50):
            opt.zero_grad()
            loss = loss_fn(model(Xa[idx]), ya[idx])
            loss.backward()
            opt.step()
            total += loss.item() * len(idx)
        if epoch % 10 == 9:
            print(f"epoch {epoch + 1}: loss {total / len(Xa):.4f} test acc {accuracy(model, Xb, yb):.3f}")
    print(f"test accuracy {accuracy(model, Xb, yb):.3f}")


if __name__ == "__main__":
    main()
