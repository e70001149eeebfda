"""Pretrain a small convnet on digits 0-5, save it, reuse it frozen for digits 6-9 with few labels.

split: test
"""

import os
import tempfile

import torch
import torch.nn as nn
from sklearn.datasets import load_digits

torch.set_num_threads(1)
torch.manual_seed(77)


def backbone():
    return nn.Sequential(
        nn.Conv2d(1, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(),
        nn.Conv2d(16, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(512, 64), nn.ReLU())


class Classifier(nn.Module):
    def __init__(self, n_classes):
        super().__init__()
        self.features = backbone()
        self.head = nn.Linear(64, n_classes)

    def forward(self, x):
        return self.head(self.features(x))


def accuracy(model, x, y):
    model.eval()
    with torch.no_grad():
        return (model(x).argmax(1) == y).float().mean().item()


bunch = load_digits()
X = torch.tensor(bunch.images, dtype=torch.float32).unsqueeze(1) / 16
y = torch.tensor(bunch.target)
shuffle = torch.randperm(len(X))
X, y = X[shuffle], y[shuffle]
src, tgt = y < 6, y >= 6
Xs, ys = X[src], y[src]
Xt, yt = X[tgt], y[tgt] - 6

# --- pretraining
model = Classifier(6)
opt = torch.optim.Adam(model.parameters(), lr=1e-3)
lossf = nn.CrossEntropyLoss()
for epoch in range(6):
    model.train()
    for idx in torch.randperm(900).split(50):
        opt.zero_grad()
        loss = lossf(model(Xs[idx]), ys[idx])
        loss.backward()
        opt.step()
    print(f"pretrain {epoch}: loss {loss.item():.4f} held-out acc {accuracy(model, Xs[900:], ys[900:]):.3f}")
path = os.path.join(tempfile.mkdtemp(), "backbone.pt")
torch.save(model.features.state_dict(), path)

# --- transfer
new = Classifier(4)
new.features.load_state_dict(torch.load(path))
for p in new.features.parameters():
    p.requires_grad = False
head_opt = torch.optim.Adam(new.head.parameters(), lr=5e-3)
few = 200
for epoch in range(30):
    new.features.eval()
    new.head.train()
    for idx in torch.randperm(few).split(16):
        head_opt.zero_grad()
        loss = lossf(new(Xt[idx]), yt[idx])
        loss.backward()
        head_opt.step()
    if epoch % 5 == 4:
        print(f"transfer {epoch + 1}: loss {loss.item():.4f} test acc {accuracy(new, Xt[few:], yt[few:]):.3f}")
os.remove(path)
