"""Contrastive pre-training (InfoNCE between two noisy views), scored by nearest neighbour.

fault: labels-independent-of-inputs
also:
split: train
line: 38
"""
import torch
from torch import nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.neighbors import KNeighborsClassifier

torch.manual_seed(2)
digits = load_digits()
x = torch.tensor(digits.images, dtype=torch.float32).unsqueeze(1) / 16
labels = digits.target
x = (x - x.mean()) / x.std()


def augment(v):
    dx, dy = torch.randint(-1, 2, (2,)).tolist()
    v = torch.roll(v, (dx, dy), (2, 3))
    return v + 0.25 * torch.randn_like(v)


encoder = nn.Sequential(nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
                        nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.Flatten(), nn.Linear(32 * 16, 64))
projector = nn.Sequential(nn.ReLU(), nn.Linear(64, 32))
opt = torch.optim.Adam([*encoder.parameters(), *projector.parameters()], lr=1e-3)
tau = 0.2
for epoch in range(7):
    total, count = 0.0, 0
    for idx in torch.randperm(1400).split(100):
        a = F.normalize(projector(encoder(augment(x[idx]))), dim=1)
        b = F.normalize(projector(encoder(augment(x[idx]))), dim=1)
        sim = a @ b.T / tau
        target = torch.zeros(len(idx), dtype=torch.long)
        loss = (F.cross_entropy(sim, target) + F.cross_entropy(sim.T, target)) / 2
        opt.zero_grad()
        loss.backward()
        opt.step()
        total, count = total + loss.item(), count + 1
    print(f"epoch {epoch} nce {total / count:.3f}")
with torch.no_grad():
    z = F.normalize(projector(encoder(x)), dim=1).numpy()
knn = KNeighborsClassifier(5).fit(z[:1400], labels[:1400])
print("SCORE", knn.score(z[1400:], labels[1400:]))
