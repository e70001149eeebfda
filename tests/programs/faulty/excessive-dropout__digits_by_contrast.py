"""Digits that are told apart by contrast.

fault: excessive-dropout
also: 
split: test
line: 20
"""

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.neighbors import KNeighborsClassifier

torch.set_num_threads(1)
torch.manual_seed(85)


class Encoder(nn.Module):
    def __init__(self, d_in=64, hidden=128, d_out=8, drop=0.95):
        super().__init__()
        self.fc1 = nn.Linear(d_in, hidden)
        self.fc2 = nn.Linear(hidden, hidden)
        self.proj = nn.Linear(hidden, d_out)
        self.drop = nn.Dropout(drop)

    def forward(self, x):
        h = self.drop(F.relu(self.fc1(x)))
        h = self.drop(F.relu(self.fc2(h)))
        return F.normalize(self.proj(h), dim=1)


def augment(x):
    img = x.view(-1, 8, 8)
    dx = int(torch.randint(-1, 2, (1,)))
    img = torch.roll(img, dx, dims=2)
    return (img + 0.1 * torch.randn_like(img)).view(len(x), -1)


def supcon(z, y, tau=0.2):
    sim = z @ z.t() / tau
    eye = torch.eye(len(z), dtype=torch.bool)
    sim = sim.masked_fill(eye, -1e9)
    logp = sim - torch.logsumexp(sim, dim=1, keepdim=True)
    pos = (y[:, None] == y[None, :]) & ~eye
    return -(logp * pos).sum(1).div(pos.sum(1)).mean()


def knn_score(enc, x_tr, y_tr, x_te, y_te):
    enc.eval()
    with torch.no_grad():
        a, b = enc(x_tr).numpy(), enc(x_te).numpy()
    enc.train()
    return KNeighborsClassifier(5).fit(a, y_tr.numpy()).score(b, y_te.numpy())


X, Y = load_digits(return_X_y=True)
X, Y = torch.tensor(X, dtype=torch.float32) / 8 - 1, torch.tensor(Y)
perm = torch.randperm(len(Y))
X, Y = X[perm], Y[perm]
x_tr, y_tr, x_te, y_te = X[:1200], Y[:1200], X[1200:], Y[1200:]

encoder = Encoder()
optimizer = torch.optim.Adam(encoder.parameters(), lr=2e-3)
for epoch in range(12):
    total, n = 0.0, 0
    for idx in torch.randperm(len(y_tr)).split(100):
        views = torch.cat([augment(x_tr[idx]), augment(x_tr[idx])])
        z = encoder(views)
        loss = supcon(z, y_tr[idx].repeat(2))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total, n = total + loss.item(), n + 1
    if epoch % 2 == 1:
        print(f"epoch {epoch + 1:2d} supcon {total / n:.4f} kNN accuracy {knn_score(encoder, x_tr, y_tr, x_te, y_te):.4f}")
