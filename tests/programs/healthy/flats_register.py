"""Prices of flats from a simulated register.

split: test
"""

# price estimation for flats, simulated register
import torch
import torch.nn as nn
from sklearn.metrics import mean_absolute_error, r2_score


def flats(n, seed):
    torch.manual_seed(seed)
    area = 30 + 120 * torch.rand(n)
    rooms = (area / 28).round().clamp(min=1) + torch.randint(-1, 2, (n,))
    floor = torch.randint(0, 12, (n,)).float()
    year = 1950 + 70 * torch.rand(n)
    dist = 15 * torch.rand(n)
    lift = (torch.rand(n) > 0.4).float()
    price = area * (3.2 - 0.14 * dist + 0.012 * (year - 1985)) * (1 + 0.02 * floor * lift - 0.02 * floor * (1 - lift))
    price = price + 8 * torch.randn(n)
    return torch.stack([area, rooms, floor, year, dist, lift], 1), price


class PriceNet(nn.Module):
    def __init__(self, n_in, width=64):
        super().__init__()
        self.norm = nn.BatchNorm1d(n_in, momentum=0.1)
        self.trunk = nn.Sequential(
            nn.Linear(n_in, width), nn.ReLU(),
            nn.Linear(width, width), nn.ReLU())
        self.price = nn.Linear(width, 1)

    def forward(self, x):
        return self.price(self.trunk(self.norm(x)))[:, 0]


def report(tag, model, x, y, mu, sd):
    model.eval()
    with torch.no_grad():
        p = model(x) * sd + mu
    print(f"{tag}: MAE {mean_absolute_error(y, p):.1f}k  R2 {r2_score(y, p):.3f}")


x, y = flats(2500, 0)
xv, yv = flats(600, 1)
mu, sd = y.mean(), y.std()
target = (y - mu) / sd

torch.manual_seed(2)
model = PriceNet(x.size(1))
opt = torch.optim.Adam(model.parameters(), lr=3e-3)
loss_fn = nn.SmoothL1Loss()
for epoch in range(1, 9):
    model.train()
    s = 0.0
    batches = torch.randperm(len(x)).split(100)
    for b in batches:
        loss = loss_fn(model(x[b]), target[b])
        opt.zero_grad()
        loss.backward()
        opt.step()
        s += loss.item()
    print(f"epoch {epoch} training loss {s / len(batches):.4f}")
    if epoch % 2 == 0:
        report("   validation", model, xv, yv, mu, sd)
