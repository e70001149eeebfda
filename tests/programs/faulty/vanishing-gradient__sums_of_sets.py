"""Sums over sets of points.

fault: vanishing-gradient
also: 
split: test
line: 33
"""

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

SEED = 58


class Trunk(nn.Module):
    def __init__(self, d_in, width, depth, act):
        super().__init__()
        layers = []
        for i in range(depth):
            layers += [nn.Linear(d_in if i == 0 else width, width), act()]
        self.seq = nn.Sequential(*layers)

    def forward(self, x):
        return self.seq(x)


class SetRegressor(nn.Module):
    """Permutation-invariant: phi on every point, mean over points, rho on the summary."""

    def __init__(self, d_in=3, width=48):
        super().__init__()
        self.phi = Trunk(d_in, width, 8, nn.Sigmoid)
        self.rho = nn.Sequential(nn.Linear(width, width), nn.GELU(), nn.Linear(width, 1))

    def forward(self, points):
        return self.rho(self.phi(points).mean(dim=1))


def point_clouds(n, m=16):
    axes = 0.4 + torch.rand(n, 1, 3) * 1.6
    pts = torch.randn(n, m, 3) * axes
    radius = pts.norm(dim=-1)
    label = (radius > 1.5).float().mean(1) + 0.3 * pts[:, :, 0].abs().mean(1)
    return pts, label.unsqueeze(1)


def r2(model, x, y):
    model.eval()
    with torch.no_grad():
        err = (model(x) - y).pow(2).sum()
    return 1 - (err / (y - y.mean()).pow(2).sum()).item()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(SEED)
    x, y = point_clouds(2400)
    x_tr, y_tr, x_te, y_te = x[:2000], y[:2000], x[2000:], y[2000:]
    sx = x_tr.std((0, 1))
    my, sy = y_tr.mean(), y_tr.std()
    x_tr, x_te, y_tr, y_te = x_tr / sx, x_te / sx, (y_tr - my) / sy, (y_te - my) / sy
    loader = DataLoader(TensorDataset(x_tr, y_tr), batch_size=64, shuffle=True)
    model = SetRegressor()
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=1e-3)
    loss_fn = nn.L1Loss()
    for epoch in range(1, 13):
        model.train()
        total = 0.0
        for xb, yb in loader:
            loss = loss_fn(model(xb), yb)
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            total += loss.item()
        print(f"epoch {epoch:2d}  l1 {total / len(loader):.4f}  test r2 {r2(model, x_te, y_te):.4f}")


if __name__ == "__main__":
    main()
