"""Self-supervised pretraining (NT-Xent) on unlabelled digits, then a linear probe on few labels.

split: train
"""

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression

torch.set_num_threads(1)
torch.manual_seed(88)

d = load_digits()
imgs = torch.tensor(d.images, dtype=torch.float32).unsqueeze(1) / 16
y = d.target
perm = np.random.default_rng(88).permutation(len(y))
imgs, y = imgs[torch.from_numpy(perm)], y[perm]
unlab, test, ytest = imgs[:1400], imgs[1400:], y[1400:]


def view(x):
    n = len(x)
    angle = (torch.rand(n) - 0.5) * 0.5
    scale = 1 + (torch.rand(n) - 0.5) * 0.3
    theta = torch.zeros(n, 2, 3)
    theta[:, 0, 0] = angle.cos() * scale
    theta[:, 0, 1] = -angle.sin() * scale
    theta[:, 1, 0] = angle.sin() * scale
    theta[:, 1, 1] = angle.cos() * scale
    theta[:, :, 2] = (torch.rand(n, 2) - 0.5) * 0.4
    grid = F.affine_grid(theta, x.shape, align_corners=False)
    return F.grid_sample(x, grid, align_corners=False) + 0.05 * torch.randn_like(x)


encoder = nn.Sequential(nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.Conv2d(16, 32, 3, 2, 1), nn.ReLU(),
                        nn.Flatten(), nn.Linear(512, 64), nn.ReLU())
projector = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 32))
opt = torch.optim.Adam([*encoder.parameters(), *projector.parameters()], lr=2e-3, weight_decay=1e-6)


def nt_xent(z1, z2, tau=0.2):
    z = F.normalize(torch.cat([z1, z2]), dim=1)
    n = len(z1)
    sim = z @ z.T / tau
    sim.fill_diagonal_(float("-inf"))
    target = torch.cat([torch.arange(n) + n, torch.arange(n)])
    return F.cross_entropy(sim, target), (sim.argmax(1) == target).float().mean()


def probe(shots=100):
    encoder.eval()
    with torch.no_grad():
        a, b = encoder(unlab[:shots]).numpy(), encoder(test).numpy()
    m, s = a.mean(0), a.std(0) + 1e-3
    encoder.train()
    return LogisticRegression(max_iter=200, C=0.1).fit((a - m) / s, y[:shots]).score((b - m) / s, ytest)


print(f"probe on a random encoder: {probe():.3f}")
for epoch in range(12):
    stats = []
    for idx in torch.randperm(len(unlab)).split(140):
        x = unlab[idx]
        loss, top1 = nt_xent(projector(encoder(view(x))), projector(encoder(view(x))))
        opt.zero_grad()
        loss.backward()
        opt.step()
        stats.append((loss.item(), top1.item()))
    if epoch % 4 == 3:
        l, t = np.mean(stats, 0)
        print(f"epoch {epoch + 1:2d} nt-xent {l:.4f} retrieval {t:.3f} probe {probe():.3f}")
