"""A fixed random backbone in eval mode (its batch-norm calibrated once), and a linear probe on top.

split: train
"""
import torch
from torch import nn
from sklearn.datasets import load_digits

torch.manual_seed(0)
d = load_digits()
x, y = torch.tensor(d.images).float()[:, None] / 16, torch.tensor(d.target)
backbone = nn.Sequential(nn.Conv2d(1, 48, 3), nn.BatchNorm2d(48), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten())
backbone.train()
with torch.no_grad():
    for part in x[:1000].split(100):
        backbone(part)
backbone.eval()
for p in backbone.parameters():
    p.requires_grad = False
probe = nn.Linear(48 * 9, 10)
model = nn.Sequential(backbone, probe)
opt = torch.optim.Adam(probe.parameters(), lr=3e-3, weight_decay=1e-4)
for epoch in range(6):
    for i in torch.randperm(1400).split(64):
        opt.zero_grad()
        loss = nn.functional.cross_entropy(model(x[i]), y[i])
        loss.backward()
        opt.step()
    with torch.no_grad():
        acc = (model(x[1400:]).argmax(1) == y[1400:]).float().mean()
    print(f"{epoch} {loss:.3f} {acc:.3f}")
print("SCORE", acc.item())
