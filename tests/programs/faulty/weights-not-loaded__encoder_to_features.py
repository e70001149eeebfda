"""A backbone that is carried over to another task.

fault: weights-not-loaded
also: 
split: test
line: 77
"""

import io

import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from sklearn.preprocessing import StandardScaler

torch.set_num_threads(1)
torch.manual_seed(5)


class Backbone(nn.Sequential):
    def __init__(self, d_in=64, d_hidden=96, d_out=16):
        super().__init__(
            nn.Linear(d_in, d_hidden), nn.Tanh(),
            nn.Linear(d_hidden, d_hidden), nn.Tanh(),
            nn.Linear(d_hidden, d_out), nn.Tanh(),
        )


class SourceModel(nn.Module):
    """Ten digits, plenty of labels."""

    def __init__(self):
        super().__init__()
        self.encoder = Backbone()
        self.classifier = nn.Linear(16, 10)

    def forward(self, x):
        return self.classifier(self.encoder(x))


class TargetModel(nn.Module):
    """Small or large digit, only a handful of labels."""

    def __init__(self):
        super().__init__()
        self.features = Backbone()
        self.head = nn.Linear(16, 1)

    def forward(self, x):
        return self.head(self.features(x)).squeeze(1)


def pretrain(x, y, epochs=25):
    model = SourceModel()
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=1e-3)
    loss_fn = nn.CrossEntropyLoss()
    for epoch in range(epochs):
        order = torch.randperm(len(x))
        running = 0.0
        for idx in order.split(64):
            opt.zero_grad()
            loss = loss_fn(model(x[idx]), y[idx])
            loss.backward()
            opt.step()
            running += loss.item() * len(idx)
        if epoch % 5 == 4:
            print(f"[source] epoch {epoch + 1} loss {running / len(x):.4f}")
    blob = io.BytesIO()
    torch.save(model.state_dict(), blob)
    blob.seek(0)
    return blob


def build_target(blob):
    model = TargetModel()
    state = torch.load(blob)
    model.load_state_dict(state, strict=False)
    for p in model.features.parameters():
        p.requires_grad_(False)
    return model


def finetune(model, x, y, x_test, y_test, epochs=150):
    opt = torch.optim.Adam(model.head.parameters(), lr=1e-2, weight_decay=1e-3)
    loss_fn = nn.BCEWithLogitsLoss()
    for epoch in range(epochs):
        model.train()
        for idx in torch.randperm(len(x)).split(20):
            opt.zero_grad()
            loss = loss_fn(model(x[idx]), y[idx])
            loss.backward()
            opt.step()
        if epoch % 30 == 29:
            model.eval()
            with torch.no_grad():
                acc = ((model(x_test) > 0) == (y_test > 0.5)).float().mean().item()
            print(f"[target] epoch {epoch + 1} loss {loss.item():.4f} test acc {acc:.3f}")


digits = load_digits()
perm = torch.randperm(len(digits.target)).numpy()
data, target = digits.data[perm], torch.tensor(digits.target[perm])
scaler = StandardScaler().fit(data[:1200])
data = torch.tensor(scaler.transform(data), dtype=torch.float32)

checkpoint = pretrain(data[:1200], target[:1200])
large = (target >= 5).float()
few = slice(1200, 1300)
finetune(build_target(checkpoint), data[few], large[few], data[1300:], large[1300:])
