"""Federated averaging: five clients with skewed labels train copies; the server averages their weights each round.

split: train
"""

import copy

import torch
from sklearn.datasets import load_digits
from torch import nn

torch.manual_seed(0)
d = load_digits()
X, y = torch.tensor(d.data / 16, dtype=torch.float32), torch.tensor(d.target)
shards = torch.arange(1400)[y[:1400].argsort()].view(10, 140)
clients = [torch.cat([shards[i], shards[(i + 3) % 10], torch.randperm(1400)[:60]]) for i in range(0, 10, 2)]
server = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10))
for rnd in range(12):
    states = []
    for idx in clients:
        local = copy.deepcopy(server)
        opt = torch.optim.SGD(local.parameters(), lr=0.1)
        for b in idx[torch.randperm(len(idx))].split(20):
            loss = nn.functional.cross_entropy(local(X[b]), y[b])
            opt.zero_grad()
            loss.backward()
            opt.step()
        states.append(local.state_dict())
    server.load_state_dict({k: torch.stack([s[k] for s in states]).mean(0) for k in states[0]})
    with torch.no_grad():
        acc = (server(X[1400:]).argmax(1) == y[1400:]).float().mean().item()
    print(f"round {rnd}: accuracy {acc:.3f}")
