"""PointNet-style classifier for 2-D point sets: ring, square outline, cross, two blobs.

fault: graph-cut
also:
split: test
line: 50
"""
import math

import torch
from torch import nn


def make_set(kind, n=48):
    u = torch.rand(n)
    if kind == 0:
        a = 2 * math.pi * u
        pts = torch.stack([a.cos(), a.sin()], 1)
    elif kind == 1:
        side, v = torch.randint(0, 4, (n,)), 2 * u - 1
        one = torch.ones(n)
        pts = torch.where((side % 2 == 0)[:, None],
                          torch.stack([v, torch.where(side == 0, one, -one)], 1),
                          torch.stack([torch.where(side == 1, one, -one), v], 1)) * 0.8
    elif kind == 2:
        v, flip = 2 * u - 1, torch.rand(n) < 0.5
        pts = torch.stack([v, torch.where(flip, v, -v)], 1)
    else:
        pts = 0.25 * torch.randn(n, 2) + (torch.rand(n, 1) < 0.5).float() * 1.4 - 0.7
    theta = (torch.rand(1) - 0.5).item()
    c, s = math.cos(theta), math.sin(theta)
    pts = pts @ torch.tensor([[c, -s], [s, c]])
    return pts * (0.8 + 0.4 * torch.rand(1)) + 0.07 * torch.randn(n, 2)


def make_data(n):
    y = torch.randint(0, 4, (n,))
    return torch.stack([make_set(k) for k in y.tolist()]), y


class PointNet(nn.Module):
    def __init__(self, width=32, classes=4):
        super().__init__()
        self.point_mlp = nn.Sequential(
            nn.Linear(2, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, width))
        self.head = nn.Sequential(nn.Linear(width, 32), nn.ReLU(), nn.Linear(32, classes))

    def forward(self, pts):
        feats = self.point_mlp(pts)
        pooled = torch.from_numpy(feats.detach().numpy().max(axis=1))
        return self.head(pooled)


class Trainer:
    def __init__(self, model, lr=3e-3, batch=64):
        self.model, self.batch = model, batch
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.loss = nn.CrossEntropyLoss()

    def fit(self, x, y, epochs):
        for epoch in range(epochs):
            self.model.train()
            losses = []
            for idx in torch.randperm(len(x)).split(self.batch):
                loss = self.loss(self.model(x[idx]), y[idx])
                self.opt.zero_grad()
                loss.backward()
                self.opt.step()
                losses.append(loss.item())
            if (epoch + 1) % 5 == 0:
                print(f"epoch {epoch + 1} loss {sum(losses) / len(losses):.4f}")

    @torch.no_grad()
    def score(self, x, y):
        self.model.eval()
        return (self.model(x).argmax(1) == y).float().mean().item()


if __name__ == "__main__":
    torch.manual_seed(11)
    x_train, y_train = make_data(2400)
    x_test, y_test = make_data(800)
    trainer = Trainer(PointNet())
    trainer.fit(x_train, y_train, epochs=25)
    print(f"test accuracy {trainer.score(x_test, y_test):.4f}")
