"""CNN with batch norm on 8x8 digits, one-cycle schedule, best epoch chosen on validation data.

split: train
"""
import copy
from dataclasses import dataclass

import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class Config:
    epochs: int = 12
    batch_size: int = 64
    max_lr: float = 1e-2
    seed: int = 0


def build_model():
    return nn.Sequential(
        nn.Conv2d(1, 16, 3, padding=1, bias=False), nn.BatchNorm2d(16), nn.ReLU(),
        nn.Conv2d(16, 32, 3, padding=1, bias=False), nn.BatchNorm2d(32), nn.ReLU(),
        nn.MaxPool2d(2), nn.Flatten(), nn.Dropout(0.2), nn.Linear(32 * 16, 10))


@torch.no_grad()
def evaluate(model, ds):
    model.eval()
    x, y = ds.tensors
    return (model(x).argmax(1) == y).float().mean().item()


def main(cfg=Config()):
    torch.manual_seed(cfg.seed)
    d = load_digits()
    x = torch.tensor(d.images / 16.0, dtype=torch.float32).unsqueeze(1)
    y = torch.tensor(d.target)
    rest, test = train_test_split(range(len(y)), test_size=0.2, stratify=d.target, random_state=0)
    train, val = train_test_split(rest, test_size=0.15, stratify=d.target[rest], random_state=0)
    train_ds, val_ds, test_ds = (TensorDataset(x[i], y[i]) for i in (train, val, test))
    loader = DataLoader(train_ds, cfg.batch_size, shuffle=True, drop_last=True)

    model = build_model()
    optimizer = torch.optim.AdamW(model.parameters(), lr=cfg.max_lr, weight_decay=1e-2)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, max_lr=cfg.max_lr, epochs=cfg.epochs, steps_per_epoch=len(loader))
    best, best_state = 0.0, None
    for epoch in range(1, cfg.epochs + 1):
        model.train()
        running = 0.0
        for xb, yb in loader:
            loss = nn.functional.cross_entropy(model(xb), yb, label_smoothing=0.05)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            scheduler.step()  # one-cycle: per batch
            running += loss.item()
        val_acc = evaluate(model, val_ds)
        if val_acc > best:
            best, best_state = val_acc, copy.deepcopy(model.state_dict())
        print(f"epoch {epoch} loss {running / len(loader):.4f} val acc {val_acc:.4f}")
    model.load_state_dict(best_state)
    print(f"test accuracy {evaluate(model, test_ds):.4f}")


if __name__ == "__main__":
    main()
