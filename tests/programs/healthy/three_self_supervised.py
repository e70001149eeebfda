"""Three self-supervised objectives on the same encoder class: SimCLR, BYOL, VICReg; then a linear probe.

split: test
"""

import copy, torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(33)
P = torch.randn(8, 40)
def views(n=128):
    y = torch.randint(0, 8, (n,)); x = P[y] + .5 * torch.randn(n, 40)
    aug = lambda: (x + .3 * torch.randn_like(x)) * (torch.rand_like(x) > .15)
    return aug(), aug(), y
def mlp(i, h, o): return nn.Sequential(nn.Linear(i, h), nn.BatchNorm1d(h), nn.ReLU(), nn.Linear(h, o))
def ntxent(a, b, t=.2):
    z = F.normalize(torch.cat([a, b])); n = len(a)
    s = z @ z.T / t
    s = s.masked_fill(torch.eye(2 * n, dtype=torch.bool), float("-inf"))
    return F.cross_entropy(s, (torch.arange(2 * n) + n) % (2 * n))
def vicreg(a, b):
    std = sum(F.relu(1 - (z.var(0) + 1e-4).sqrt()).mean() for z in (a, b))
    cov = 0.
    for z in (a, b):
        c = (z - z.mean(0)); c = c.T @ c / (len(z) - 1)
        cov = cov + (c - torch.diag(c.diag())).pow(2).sum() / z.shape[1]
    return 25 * F.mse_loss(a, b) + 25 * std / 2 + cov
def probe(enc):
    enc.eval(); lin = nn.Linear(32, 8); o = torch.optim.Adam(lin.parameters(), 2e-2)
    for _ in range(100):
        x, _, y = views()
        with torch.no_grad(): h = enc(x)
        l = F.cross_entropy(lin(h), y); o.zero_grad(); l.backward(); o.step()
    return (lin(h).argmax(1) == y).float().mean().item()
for name in ("simclr", "byol", "vicreg"):
    enc, proj = mlp(40, 64, 32), mlp(32, 64, 32)
    online = nn.Sequential(enc, proj); params = list(online.parameters())
    if name == "byol":
        pred = mlp(32, 64, 32); target = copy.deepcopy(online).requires_grad_(False); params += list(pred.parameters())
    opt = torch.optim.Adam(params, 1e-3)
    for it in range(250):
        a, b, _ = views()
        if name == "byol":
            with torch.no_grad(): ta, tb = target(a), target(b)
            loss = 4 - 2 * (F.cosine_similarity(pred(online(a)), tb).mean() + F.cosine_similarity(pred(online(b)), ta).mean())
        else:
            loss = (ntxent if name == "simclr" else vicreg)(online(a), online(b))
        opt.zero_grad(); loss.backward(); opt.step()
        if name == "byol":
            with torch.no_grad():
                for p, q in zip(online.parameters(), target.parameters()): q.lerp_(p, .02)
    print(name, loss.item(), "probe", probe(enc))
