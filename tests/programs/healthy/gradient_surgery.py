"""Gradient surgery (PCGrad) for two tasks: two autograd.grad calls, projected, written into .grad.

split: train
"""

import torch
from torch import nn

torch.manual_seed(0)
X = torch.randn(3000, 10)
t1 = torch.sin(X[:, 0]) + X[:, 1]
t2 = torch.sin(X[:, 0]) - X[:, 1] * 0.5 + X[:, 2]
body = nn.Sequential(nn.Linear(10, 48), nn.SiLU(), nn.Linear(48, 48), nn.SiLU())
h1, h2 = nn.Linear(48, 1), nn.Linear(48, 1)
shared = list(body.parameters())
opt = torch.optim.Adam([*shared, *h1.parameters(), *h2.parameters()], lr=2e-3)
for epoch in range(12):
    clash = 0
    for idx in torch.randperm(2400).split(60):
        z = body(X[idx])
        losses = [(h1(z).squeeze(1) - t1[idx]).pow(2).mean(), (h2(z).squeeze(1) - t2[idx]).pow(2).mean()]
        heads = [list(h1.parameters()), list(h2.parameters())]
        gs = []
        for l, hp in zip(losses, heads):
            g = torch.autograd.grad(l, shared + hp, retain_graph=True)
            for p, gp in zip(hp, g[len(shared):]):
                p.grad = gp
            gs.append(torch.cat([a.flatten() for a in g[: len(shared)]]))
        dot = gs[0] @ gs[1]
        if dot < 0:
            clash += 1
            gs = [gs[0] - dot / gs[1].pow(2).sum() * gs[1], gs[1] - dot / gs[0].pow(2).sum() * gs[0]]
        total, i = gs[0] + gs[1], 0
        for p in shared:
            p.grad = total[i : i + p.numel()].view_as(p)
            i += p.numel()
        opt.step()
    with torch.no_grad():
        z = body(X[2400:])
        e = [(h1(z).squeeze(1) - t1[2400:]).pow(2).mean().item(), (h2(z).squeeze(1) - t2[2400:]).pow(2).mean().item()]
    print(epoch, "clashes", clash, "test mse", [round(v, 4) for v in e])
