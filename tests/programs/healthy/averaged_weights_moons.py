"""Weights averaged over time; the average is what is evaluated.

split: train
"""
import copy
import torch
import torch.nn as nn
from sklearn.datasets import make_moons
from torch.utils.data import DataLoader, TensorDataset


class EMA:
    def __init__(self, model, decay=0.98):
        self.decay = decay
        self.shadow = copy.deepcopy(model).eval()
        for p in self.shadow.parameters():
            p.requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        for s, p in zip(self.shadow.parameters(), model.parameters()):
            s.mul_(self.decay).add_(p, alpha=1 - self.decay)
        for s, b in zip(self.shadow.buffers(), model.buffers()):
            s.copy_(b)


torch.manual_seed(1)
X, y = make_moons(1500, noise=0.2, random_state=1)
X, y = torch.tensor(X).float(), torch.tensor(y)
dl = DataLoader(TensorDataset(X[:1100], y[:1100]), batch_size=32, shuffle=True, drop_last=True)
model = nn.Sequential(nn.Linear(2, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Linear(32, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Linear(32, 2))
ema = EMA(model)
opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, nesterov=True)
for epoch in range(10):
    model.train()
    for xb, yb in dl:
        loss = nn.functional.cross_entropy(model(xb), yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
        ema.update(model)
    with torch.no_grad():
        acc = (ema.shadow(X[1100:]).argmax(1) == y[1100:]).float().mean().item()
    print(epoch, round(loss.item(), 3), round(acc, 3))
print("SCORE", acc)
