"""Self-supervised embedding of digits with two noisy views and a kNN check.

fault: identical-augmentation
also:
split: train
line: 46
"""
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.neighbors import KNeighborsClassifier

torch.manual_seed(28)
torch.set_num_threads(1)
X, y = load_digits(return_X_y=True)
X = torch.tensor(X, dtype=torch.float32).div(16)
nuisance = torch.randn(len(X), 64) * 1.0
X = torch.cat([X * 2, nuisance], 1)
perm = torch.randperm(len(X))
tr, te = perm[:1300], perm[1300:]


def random_view(x):
    img, bg = x[:, :64], x[:, 64:]
    img = img * (torch.rand_like(img) > 0.2) + 0.15 * torch.randn_like(img)
    return torch.cat([img, torch.randn_like(bg)], 1)


class SSL(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, 32))
        self.g = nn.Sequential(nn.ReLU(), nn.Linear(32, 32))

    def forward(self, x):
        return F.normalize(self.g(self.f(x)), dim=1)


model = SSL()
opt = torch.optim.Adam(model.parameters(), lr=2e-3)
for epoch in range(25):
    for b in torch.randperm(len(tr)).split(130):
        x = X[tr[b]]
        v1 = random_view(x)
        v2 = v1.clone()
        sim = model(v1) @ model(v2).T / 0.2
        t = torch.arange(len(x))
        loss = (F.cross_entropy(sim, t) + F.cross_entropy(sim.T, t)) / 2
        opt.zero_grad()
        loss.backward()
        opt.step()
    if epoch % 8 == 0:
        print("epoch", epoch, "nt-xent", round(loss.item(), 4))
with torch.no_grad():
    e = F.normalize(model.f(X), dim=1).numpy()
knn = KNeighborsClassifier(7).fit(e[tr], y[tr])
print("kNN accuracy %.4f" % knn.score(e[te], y[te]))
