"""A table of tumours with batch norm.

fault: batch-norm-momentum
also: 
split: test
line: 26
"""

import torch
from torch import nn, optim
from sklearn.datasets import load_breast_cancer
from sklearn.preprocessing import StandardScaler
from sklearn.model_selection import train_test_split

torch.set_num_threads(1)
torch.manual_seed(0)

data = load_breast_cancer()
Xtr, Xte, ytr, yte = train_test_split(data.data, data.target, test_size=0.3, random_state=1, stratify=data.target)
sc = StandardScaler().fit(Xtr)
Xtr = torch.tensor(sc.transform(Xtr)).float()
Xte = torch.tensor(sc.transform(Xte)).float()
ytr = torch.tensor(ytr).float()
yte = torch.tensor(yte).float()

BN = dict(momentum=1e-4, eps=1e-5)


def make_layer(i, o):
    return [nn.Linear(i, o), nn.BatchNorm1d(o, **BN), nn.LeakyReLU(0.1)]


class Trainer:
    def __init__(self, model, lr):
        self.model = model
        self.opt = optim.RMSprop(model.parameters(), lr=lr)
        self.history = []

    def step(self, x, y):
        self.model.train()
        out = self.model(x).squeeze(-1)
        loss = nn.functional.binary_cross_entropy_with_logits(out, y)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item(), ((out > 0) == (y > 0.5)).float().mean().item()

    @torch.no_grad()
    def score(self, x, y):
        self.model.eval()
        out = self.model(x).squeeze(-1)
        loss = nn.functional.binary_cross_entropy_with_logits(out, y).item()
        return loss, ((out > 0) == (y > 0.5)).float().mean().item()

    def fit(self, x, y, xv, yv, epochs=25, bs=66):
        for e in range(epochs):
            perm = torch.randperm(len(x))
            tl = ta = n = 0
            for s in range(0, len(x) - bs + 1, bs):
                b = perm[s:s + bs]
                l, a = self.step(x[b], y[b])
                tl, ta, n = tl + l, ta + a, n + 1
            vl, va = self.score(xv, yv)
            self.history.append((tl / n, vl))
            if e % 4 == 0 or e == epochs - 1:
                print(f"{e:3d} | train {tl / n:.4f} acc {ta / n:.3f} | valid {vl:.4f} acc {va:.3f}")


model = nn.Sequential(
    *make_layer(30, 64),
    *make_layer(64, 64),
    *make_layer(64, 64),
    *make_layer(64, 64),
    *make_layer(64, 64),
    *make_layer(64, 32),
    nn.Linear(32, 1),
)
t = Trainer(model, lr=1e-3)
t.fit(Xtr, ytr, Xte, yte)
print("final validation accuracy %.3f" % t.score(Xte, yte)[1])
