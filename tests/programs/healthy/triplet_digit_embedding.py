"""Learns an embedding of digits from triplets and scores it by the nearest class centre.

split: test
"""

import torch
from sklearn.datasets import load_digits
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(8)
data = load_digits()
x = torch.tensor(data.data / 16, dtype=torch.float32)
y = torch.tensor(data.target)
perm = torch.randperm(len(x))
x, y = x[perm], y[perm]
members = [torch.nonzero(y[:1400] == c).squeeze(1) for c in range(10)]
net = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 8))
optimizer = torch.optim.Adam(net.parameters(), lr=2e-3)
loss_fn = nn.TripletMarginLoss(margin=1.0)


def pick(classes):
    return torch.stack([members[c][torch.randint(len(members[c]), ())] for c in classes.tolist()])


def score():
    with torch.no_grad():
        z, z_test = net(x[:1400]), net(x[1400:])
        centres = torch.stack([z[rows].mean(0) for rows in members])
        return (torch.cdist(z_test, centres).argmin(1) == y[1400:]).float().mean().item()


for step in range(301):
    own = torch.randint(10, (64,))
    other = (own + torch.randint(1, 10, (64,))) % 10
    loss = loss_fn(net(x[pick(own)]), net(x[pick(own)]), net(x[pick(other)]))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 60 == 0:
        print(f"step {step} loss {loss.item():.3f} accuracy {score():.3f}")
