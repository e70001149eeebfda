"""Distil a digit CNN teacher into a small MLP student; gradient accumulation over four micro-batches.

split: train
"""
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset

T, ALPHA, ACCUM = 3.0, 0.7, 4


def load():
    d = load_digits()
    x = torch.tensor(d.images / 16.0, dtype=torch.float32).unsqueeze(1)
    y = torch.tensor(d.target)
    tr, te = train_test_split(range(len(y)), test_size=0.25, stratify=d.target, random_state=1)
    return TensorDataset(x[tr], y[tr]), TensorDataset(x[te], y[te])


def accuracy(model, ds):
    model.eval()
    x, y = ds.tensors
    with torch.no_grad():
        return (model(x).argmax(1) == y).float().mean().item()


def train_teacher(ds):
    net = nn.Sequential(nn.Conv2d(1, 24, 3, padding=1), nn.ReLU(), nn.Conv2d(24, 32, 3, padding=1), nn.ReLU(),
                        nn.MaxPool2d(2), nn.Flatten(), nn.Dropout(0.3), nn.Linear(512, 10))
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    for _ in range(10):
        net.train()
        for xb, yb in DataLoader(ds, batch_size=64, shuffle=True):
            loss = F.cross_entropy(net(xb), yb)
            opt.zero_grad()
            loss.backward()
            opt.step()
    return net.eval().requires_grad_(False)


def distil(teacher, ds, epochs=40):
    student = nn.Sequential(nn.Flatten(), nn.Linear(64, 24), nn.ReLU(), nn.Linear(24, 10))
    opt = torch.optim.Adam(student.parameters(), lr=5e-3)
    loader = DataLoader(ds, batch_size=16, shuffle=True, drop_last=True)
    for epoch in range(1, epochs + 1):
        student.train()
        opt.zero_grad()
        total = 0.0
        for i, (xb, yb) in enumerate(loader, 1):
            with torch.no_grad():
                soft = F.softmax(teacher(xb) / T, dim=1)
            logits = student(xb)
            kd = F.kl_div(F.log_softmax(logits / T, dim=1), soft, reduction="batchmean") * T * T
            loss = ALPHA * kd + (1 - ALPHA) * F.cross_entropy(logits, yb)
            (loss / ACCUM).backward()
            if i % ACCUM == 0 or i == len(loader):
                opt.step()
                opt.zero_grad()
            total += loss.item()
        if epoch % 10 == 0:
            print(f"epoch {epoch} loss {total / len(loader):.4f}")
    return student


if __name__ == "__main__":
    torch.manual_seed(0)
    train_ds, test_ds = load()
    teacher = train_teacher(train_ds)
    print(f"teacher accuracy {accuracy(teacher, test_ds):.4f}")
    student = distil(teacher, train_ds)
    print(f"student accuracy {accuracy(student, test_ds):.4f}")
