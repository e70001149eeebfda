"""Federated averaging: ten clients with unequal class shares, one softmax MLP.

split: test
"""

import copy
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

torch.manual_seed(38)
rng = np.random.default_rng(38)
d = load_digits()
X, y = torch.tensor(d.data, dtype=torch.float32) / 16 - 0.3, torch.tensor(d.target)
tr, te = train_test_split(np.arange(len(X)), test_size=0.25, stratify=d.target, random_state=38)

# Dirichlet split over clients
clients = [[] for _ in range(10)]
for c in range(10):
    idx = rng.permutation(tr[d.target[tr] == c])
    cuts = (np.cumsum(rng.dirichlet(np.full(10, 1.0)))[:-1] * len(idx)).astype(int)
    for k, part in enumerate(np.split(idx, cuts)):
        clients[k].extend(part.tolist())
clients = [torch.tensor(c) for c in clients if len(c) >= 16]
print("client sizes", [len(c) for c in clients])


def local_train(global_model, idx, lr, epochs=2):
    m = copy.deepcopy(global_model)
    opt = torch.optim.SGD(m.parameters(), lr=lr, momentum=0.5)
    m.train()
    last = 0.0
    for _ in range(epochs):
        for b in idx[torch.randperm(len(idx))].split(32):
            opt.zero_grad()
            loss = F.cross_entropy(m(X[b]), y[b])
            loss.backward()
            opt.step()
            last = loss.item()
    return m.state_dict(), last


server = nn.Sequential(nn.Linear(64, 48), nn.ReLU(), nn.Linear(48, 10))
for rnd in range(50):
    lr = 0.25 * 0.96 ** rnd
    states, losses = zip(*(local_train(server, c, lr) for c in clients))
    w = torch.tensor([len(c) for c in clients], dtype=torch.float32)
    w /= w.sum()
    server.load_state_dict({k: sum(wi * s[k] for wi, s in zip(w, states)) for k in states[0]})
    if rnd % 6 == 0 or rnd == 49:
        server.eval()
        with torch.no_grad():
            o = server(X[te])
        print(f"round {rnd:2d} client loss {np.mean(losses):.4f} test loss {F.cross_entropy(o, y[te]).item():.4f} "
              f"acc {(o.argmax(1) == y[te]).float().mean().item():.4f}")
