"""A backbone that was trained on normalised pictures is used frozen for others.

fault: input-not-scaled
also:
split: train
line: 62
"""

import os
import tempfile

import numpy as np
import torch
import torch.nn as nn
from sklearn.datasets import load_digits

torch.manual_seed(1)
np.random.seed(1)
raw = load_digits()
images = np.kron(raw.images, np.ones((1, 2, 2))) / 16 * 255          # 16 x 16, 8 bit
labels = raw.target
MEAN, STD = 78.0, 96.0


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(1, 16, 3, stride=2, padding=1), nn.BatchNorm2d(16), nn.ReLU(),
            nn.Conv2d(16, 32, 3, stride=2, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.Flatten(),
            nn.Linear(512, 64), nn.Tanh())

    def forward(self, x):
        return self.net(x)


def batches(x, y, size=32):
    for idx in torch.randperm(len(x)).split(size):
        yield x[idx], y[idx]


def normalise(a):
    return torch.tensor((a - MEAN) / STD, dtype=torch.float32)[:, None]


def pretrain(path):
    pick = labels < 5
    x, y = normalise(images[pick]), torch.tensor(labels[pick])
    body, head = Backbone(), nn.Linear(64, 5)
    opt = torch.optim.Adam([*body.parameters(), *head.parameters()], lr=1e-3)
    for _ in range(3):
        for xb, yb in batches(x, y):
            loss = nn.functional.cross_entropy(head(body(xb)), yb)
            opt.zero_grad()
            loss.backward()
            opt.step()
    torch.save(body.state_dict(), path)


def finetune(path):
    pick = labels >= 5
    x = torch.tensor(images[pick], dtype=torch.float32)[:, None]
    y = torch.tensor(labels[pick] - 5)
    body = Backbone()
    body.load_state_dict(torch.load(path, weights_only=True))
    body.eval()
    for p in body.parameters():
        p.requires_grad = False
    model = nn.Sequential(body, nn.Linear(64, 5))
    opt = torch.optim.Adam(model[1].parameters(), lr=5e-3)
    cut = 650
    for epoch in range(10):
        for xb, yb in batches(x[:cut], y[:cut]):
            loss = nn.functional.cross_entropy(model(xb), yb)
            opt.zero_grad()
            loss.backward()
            opt.step()
        with torch.no_grad():
            acc = (model(x[cut:]).argmax(1) == y[cut:]).float().mean()
        print(f"finetune {epoch}: loss {loss:.3f} test {acc:.3f}")


with tempfile.TemporaryDirectory() as folder:
    file = os.path.join(folder, "body.pt")
    pretrain(file)
    finetune(file)
