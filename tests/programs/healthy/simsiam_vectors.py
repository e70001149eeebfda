"""SimSiam with stop-gradient on generated vectors; similarity loss is negative.

split: train
"""
import torch
from torch import nn
import torch.nn.functional as F
from sklearn.neighbors import KNeighborsClassifier

torch.manual_seed(0)
K = 6
proto = torch.randn(K, 40)
y = torch.randint(0, K, (1500,))
x = proto[y] * 0.8 + torch.randn(1500, 40) * 0.6


def view(v):
    return v * (torch.rand_like(v) > 0.2) + 0.3 * torch.randn_like(v)


enc = nn.Sequential(nn.Linear(40, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Linear(64, 32), nn.BatchNorm1d(32))
pred = nn.Sequential(nn.Linear(32, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 32))
opt = torch.optim.SGD([*enc.parameters(), *pred.parameters()], lr=0.05, momentum=0.9, weight_decay=1e-4)
for epoch in range(15):
    enc.train(); pred.train()
    for i in torch.randperm(1200).split(100):
        z1, z2 = enc(view(x[i])), enc(view(x[i]))
        p1, p2 = pred(z1), pred(z2)
        loss = -(F.cosine_similarity(p1, z2.detach()).mean() + F.cosine_similarity(p2, z1.detach()).mean()) / 2
        opt.zero_grad()
        loss.backward()
        opt.step()
    if epoch % 5 == 4:
        print(epoch, loss.item())
enc.eval()
with torch.no_grad():
    z = F.normalize(enc(x), dim=1).numpy()
print("SCORE", KNeighborsClassifier(5).fit(z[:1200], y[:1200]).score(z[1200:], y[1200:]))
