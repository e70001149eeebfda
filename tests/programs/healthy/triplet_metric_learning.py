"""Triplet embedding of digits with batch-hard mining; 1-NN accuracy on unseen samples.

split: test
"""

import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits

parser = argparse.ArgumentParser()
parser.add_argument("--dim", type=int, default=16)
parser.add_argument("--margin", type=float, default=0.3)
parser.add_argument("--iters", type=int, default=300)
parser.add_argument("--seed", type=int, default=13)
args, _ = parser.parse_known_args()
torch.manual_seed(args.seed)
torch.set_num_threads(1)

X, y = load_digits(return_X_y=True)
X = torch.tensor(X, dtype=torch.float32) / 8 - 1
y = torch.tensor(y)
perm = torch.randperm(len(X))
tr, te = perm[:1200], perm[1200:]
by_class = [tr[y[tr] == c] for c in range(10)]


class Embed(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.fc = nn.Sequential(nn.Linear(64, 128), nn.PReLU(), nn.Linear(128, 64), nn.PReLU(), nn.Linear(64, dim))

    def forward(self, x):
        return F.normalize(self.fc(x), dim=1)


def pk_batch(k=6):
    idx = torch.cat([c[torch.randint(len(c), (k,))] for c in by_class])
    return X[idx], y[idx]


def batch_hard(e, lab, margin):
    dist = torch.cdist(e, e)
    same = lab[:, None] == lab[None, :]
    hardest_pos = (dist * same).max(1).values
    hardest_neg = dist.masked_fill(same, 10.0).min(1).values
    per = F.relu(hardest_pos - hardest_neg + margin)
    return per.mean(), (per > 0).float().mean()


@torch.no_grad()
def one_nn(net):
    net.eval()
    a, b = net(X[te]), net(X[tr])
    near = torch.cdist(a, b).argmin(1)
    net.train()
    return (y[tr][near] == y[te]).float().mean().item()


net = Embed(args.dim)
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
print("1-NN before training:", round(one_nn(net), 4))
for it in range(1, args.iters + 1):
    xb, yb = pk_batch()
    loss, active = batch_hard(net(xb), yb, args.margin)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 50 == 0:
        print(f"iter {it:4d} triplet {loss.item():.4f} active {active.item():.2f} 1-NN {one_nn(net):.4f}")
