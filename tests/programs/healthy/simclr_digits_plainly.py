"""SimCLR-like contrastive learning on digits, then a linear probe.

split: test
"""

import torch
from torch import nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split

torch.manual_seed(4)
d = load_digits()
X = torch.tensor(d.images, dtype=torch.float32)[:, None] / 16
xtr, xte, ytr, yte = train_test_split(X, d.target, test_size=0.3, random_state=4, stratify=d.target)


def augment(x):
    n = len(x)
    ang = (torch.rand(n) - 0.5) * 0.5
    sc = 1 + (torch.rand(n) - 0.5) * 0.3
    tr = (torch.rand(n, 2) - 0.5) * 0.4
    theta = torch.stack([torch.stack([sc * ang.cos(), -ang.sin(), tr[:, 0]], 1),
                         torch.stack([ang.sin(), sc * ang.cos(), tr[:, 1]], 1)], 1)
    x = F.grid_sample(x, F.affine_grid(theta, x.shape, align_corners=False), align_corners=False)
    return x + 0.08 * torch.randn_like(x)


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv2d(1, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(32, 64, 3, padding=1), nn.BatchNorm2d(64), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten())
        self.proj = nn.Sequential(nn.Linear(256, 128), nn.ReLU(), nn.Linear(128, 32))

    def forward(self, x):
        h = self.conv(x)
        return h, F.normalize(self.proj(h), dim=1)


def nt_xent(z1, z2, tau=0.2):
    z = torch.cat([z1, z2])
    n = len(z1)
    sim = z @ z.t() / tau
    sim.masked_fill_(torch.eye(2 * n, dtype=torch.bool), float("-inf"))
    target = torch.cat([torch.arange(n) + n, torch.arange(n)])
    return F.cross_entropy(sim, target)


def probe(enc):
    enc.eval()
    with torch.no_grad():
        a, b = enc(xtr)[0].numpy(), enc(xte)[0].numpy()
    few = LogisticRegression(max_iter=2000).fit(a[:100], ytr[:100])
    full = LogisticRegression(max_iter=2000).fit(a, ytr)
    return few.score(b, yte), full.score(b, yte)


enc = Encoder()
opt = torch.optim.Adam(enc.parameters(), lr=2e-3, weight_decay=1e-5)
EPOCHS = 30
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, EPOCHS)
for ep in range(EPOCHS):
    enc.train()
    tot, cnt = 0.0, 0
    for idx in torch.randperm(len(xtr)).split(128):
        if len(idx) < 64:
            continue
        x = xtr[idx]
        _, z1 = enc(augment(x))
        _, z2 = enc(augment(x))
        loss = nt_xent(z1, z2)
        opt.zero_grad()
        loss.backward()
        opt.step()
        tot += loss.item(); cnt += 1
    sched.step()
    if ep % 5 == 4:
        print(f"epoch {ep + 1} nt-xent {tot / cnt:.4f}")
few, full = probe(enc)
raw = LogisticRegression(max_iter=2000).fit(xtr[:100].flatten(1), ytr[:100]).score(xte.flatten(1), yte)
print(f"linear probe: 100 labels {few:.3f} (raw pixels {raw:.3f}), all labels {full:.3f}")
