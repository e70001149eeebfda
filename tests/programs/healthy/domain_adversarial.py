"""Domain-adversarial training with two loaders and a gradient reversal layer.

split: test
"""
import itertools
import torch
import torch.nn as nn
from sklearn.datasets import make_moons
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(3)
torch.set_num_threads(1)


class Reverse(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, lam):
        ctx.lam = lam
        return x.view_as(x)

    @staticmethod
    def backward(ctx, g):
        return -ctx.lam * g, None


def domain(n, angle, seed):
    X, y = make_moons(n, noise=0.08, random_state=seed)
    X = torch.tensor(X, dtype=torch.float32) - torch.tensor([0.5, 0.25])
    a = torch.tensor(angle)
    R = torch.stack([torch.stack([a.cos(), -a.sin()]), torch.stack([a.sin(), a.cos()])])
    return X @ R, torch.tensor(y)


xs, ys = domain(1000, 0.0, 0)
xt, yt = domain(1000, 0.35, 1)
feat = nn.Sequential(nn.Linear(2, 32), nn.ReLU(), nn.Linear(32, 16), nn.ReLU())
label, dom = nn.Linear(16, 2), nn.Sequential(nn.Linear(16, 16), nn.ReLU(), nn.Linear(16, 1))
opt = torch.optim.Adam(itertools.chain(feat.parameters(), label.parameters(), dom.parameters()), lr=3e-3)
src = DataLoader(TensorDataset(xs, ys), 50, shuffle=True)
tgt = DataLoader(TensorDataset(xt), 50, shuffle=True)
EPOCHS = 25
for ep in range(EPOCHS):
    lam = 0.3 * ep / EPOCHS
    for (a, ya), (b,) in zip(src, tgt):
        fa, fb = feat(a), feat(b)
        cls = nn.functional.cross_entropy(label(fa), ya)
        d = dom(Reverse.apply(torch.cat([fa, fb]), lam)).squeeze(1)
        dl = nn.functional.binary_cross_entropy_with_logits(d, torch.cat([torch.ones(len(a)), torch.zeros(len(b))]))
        opt.zero_grad()
        (cls + dl).backward()
        opt.step()
    if ep % 6 == 0:
        with torch.no_grad():
            s = (label(feat(xs)).argmax(1) == ys).float().mean()
            t = (label(feat(xt)).argmax(1) == yt).float().mean()
        print(f"epoch {ep} cls {cls.item():.4f} dom {dl.item():.4f} source {s:.4f} target {t:.4f}")
