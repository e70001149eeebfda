"""Siamese network with a triplet loss and semi-hard mining on digits; 1-NN retrieval on held-out rows.

split: test
"""

import torch
from torch import nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

torch.manual_seed(40)
d = load_digits()
X, y = torch.tensor(d.data, dtype=torch.float32) / 16, torch.tensor(d.target)
tr, te = train_test_split(torch.arange(len(X)), test_size=0.3, stratify=y, random_state=40)
X = (X - X[tr].mean()) / X[tr].std()
by_class = [tr[y[tr] == c] for c in range(10)]
net = nn.Sequential(nn.Linear(64, 96), nn.ReLU(), nn.Dropout(0.1), nn.Linear(96, 16))
embed = lambda x: F.normalize(net(x), dim=1)
MARGIN = 0.3


def pk_batch(k=8):
    idx = torch.cat([c[torch.randperm(len(c))[:k]] for c in by_class])
    return X[idx], y[idx]


def batch_triplet(e, t):
    dist = torch.cdist(e, e)
    same = t[:, None] == t[None, :]
    eye = torch.eye(len(t), dtype=torch.bool)
    a, p = torch.nonzero(same & ~eye, as_tuple=True)
    d_ap = dist[a, p]
    d_an = dist[a].masked_fill(same[a], 9.0)
    semi = d_an.masked_fill(d_an <= d_ap[:, None].detach(), 9.0).min(1).values
    return F.relu(d_ap - semi + MARGIN).mean()


def retrieval():
    net.eval()
    with torch.no_grad():
        gallery, query = embed(X[tr]), embed(X[te])
        nearest = torch.cdist(query, gallery).argmin(1)
    return (y[tr][nearest] == y[te]).float().mean().item()


opt = torch.optim.Adam(net.parameters(), lr=1e-3)
STEPS = 600
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, STEPS)
avg = None
for step in range(STEPS):
    net.train()
    x, t = pk_batch()
    loss = batch_triplet(embed(x), t)
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()
    avg = loss.item() if avg is None else 0.95 * avg + 0.05 * loss.item()
    if step % 100 == 99:
        print(f"step {step + 1} triplet loss {avg:.4f} held-out 1-NN accuracy {retrieval():.4f}")
