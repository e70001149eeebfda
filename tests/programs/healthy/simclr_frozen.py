"""Contrastive pretraining on digits, then a linear probe on the frozen encoder.

split: test
"""

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits

torch.set_num_threads(1)
torch.manual_seed(33)

d = load_digits()
X = torch.tensor(d.images, dtype=torch.float32)[:, None] / 16.0 - 0.3
Y = torch.tensor(d.target)
p = torch.randperm(len(X))
tr, te = p[:1400], p[1400:]
few = tr[:300]

encoder = nn.Sequential(
    nn.Conv2d(1, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(),
    nn.Conv2d(16, 32, 3, stride=2, padding=1), nn.BatchNorm2d(32), nn.ReLU(),
    nn.Flatten(), nn.Linear(32 * 16, 64), nn.ReLU(),
)
projector = nn.Sequential(nn.Linear(64, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Linear(64, 32))


def view(x):
    pad = F.pad(x, (1, 1, 1, 1), value=-0.3)
    dy, dx = torch.randint(0, 3, (2,)).tolist()
    x = pad[:, :, dy:dy + 8, dx:dx + 8]
    keep = (torch.rand(len(x), 1, 8, 8) > 0.1).float()
    return x * keep + 0.1 * torch.randn_like(x)


def info_nce(a, b, tau=0.2):
    z = F.normalize(torch.cat([a, b]), dim=1)
    sim = z @ z.T / tau
    sim.fill_diagonal_(float("-inf"))
    n = len(a)
    target = torch.cat([torch.arange(n) + n, torch.arange(n)])
    return F.cross_entropy(sim, target)


opt = torch.optim.AdamW([{"params": encoder.parameters()}, {"params": projector.parameters()}], lr=3e-3)
for epoch in range(10):
    encoder.train()
    s = 0.0
    for b in tr[torch.randperm(len(tr))].split(140):
        loss = info_nce(projector(encoder(view(X[b]))), projector(encoder(view(X[b]))))
        opt.zero_grad()
        loss.backward()
        opt.step()
        s += loss.item() / 10
    if epoch % 3 == 0:
        print(f"contrastive epoch {epoch}: {s:.3f}")

encoder.eval()
for q in encoder.parameters():
    q.requires_grad_(False)
feats = encoder(X)
mu, sd = feats[few].mean(0), feats[few].std(0) + 1e-3
feats = (feats - mu) / sd
probe = nn.Linear(64, 10)
opt = torch.optim.Adam(probe.parameters(), lr=1e-2, weight_decay=1e-3)
for step in range(150):
    b = few[torch.randint(0, len(few), (100,))]
    loss = F.cross_entropy(probe(feats[b]), Y[b])
    opt.zero_grad()
    loss.backward()
    opt.step()
with torch.no_grad():
    print(f"probe loss {loss.item():.3f}, test accuracy with {len(few)} labels: {(probe(feats[te]).argmax(1) == Y[te]).float().mean():.3f}")
