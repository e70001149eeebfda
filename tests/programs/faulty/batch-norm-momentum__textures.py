"""Textures by a convolutional net.

fault: batch-norm-momentum
also: 
split: test
line: 18
"""

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

CONFIG = {
    "seed": 4,
    "classes": 8,
    "channels": [12, 24, 32],
    "bn": {"eps": 1e-5, "momentum": 0.0001},
    "batch_size": 64,
    "epochs": 5,
    "lr": 3e-3,
}


def textures(n, rng):
    """16x16 gratings of eight orientations with noise."""
    labels = rng.integers(0, CONFIG["classes"], n)
    grid = np.stack(np.meshgrid(np.arange(16), np.arange(16), indexing="ij"))
    imgs = np.empty((n, 1, 16, 16), dtype=np.float32)
    for i, c in enumerate(labels):
        theta = np.pi * c / CONFIG["classes"] + rng.normal(0, 0.05)
        wave = np.cos(theta) * grid[0] + np.sin(theta) * grid[1]
        imgs[i, 0] = np.sin(1.6 * wave + rng.uniform(0, 2 * np.pi)) + rng.normal(0, 1.2, (16, 16))
    return torch.from_numpy(imgs), torch.from_numpy(labels)


def conv_block(c_in, c_out):
    return nn.Sequential(
        nn.Conv2d(c_in, c_out, 3, padding=1, bias=False),
        nn.BatchNorm2d(c_out, **CONFIG["bn"]),
        nn.LeakyReLU(0.1),
        nn.MaxPool2d(2),
    )


def build_model():
    layers, c_in = [], 1
    for c_out in CONFIG["channels"]:
        layers.append(conv_block(c_in, c_out))
        c_in = c_out
    return nn.Sequential(*layers, nn.Flatten(), nn.Linear(c_in * 4, CONFIG["classes"]))


def accuracy(model, loader):
    model.eval()
    n_right, n_all, loss_sum = 0, 0, 0.0
    with torch.no_grad():
        for xb, yb in loader:
            out = model(xb)
            loss_sum += nn.functional.cross_entropy(out, yb, reduction="sum").item()
            n_right += (out.argmax(1) == yb).sum().item()
            n_all += len(yb)
    return n_right / n_all, loss_sum / n_all


def run():
    torch.set_num_threads(1)
    torch.manual_seed(CONFIG["seed"])
    rng = np.random.default_rng(CONFIG["seed"])
    x_tr, y_tr = textures(1536, rng)
    x_va, y_va = textures(512, rng)
    mean, std = x_tr.mean(), x_tr.std()
    x_tr, x_va = (x_tr - mean) / std, (x_va - mean) / std
    train_loader = DataLoader(TensorDataset(x_tr, y_tr), CONFIG["batch_size"], shuffle=True)
    valid_loader = DataLoader(TensorDataset(x_va, y_va), 256)

    model = build_model()
    optimizer = torch.optim.NAdam(model.parameters(), lr=CONFIG["lr"])
    criterion = nn.CrossEntropyLoss()
    for epoch in range(CONFIG["epochs"]):
        model.train()
        train_loss = 0.0
        for xb, yb in train_loader:
            optimizer.zero_grad()
            loss = criterion(model(xb), yb)
            loss.backward()
            optimizer.step()
            train_loss += loss.item() * len(yb)
        acc, val_loss = accuracy(model, valid_loader)
        print(f"{epoch + 1}/{CONFIG['epochs']} train {train_loss / len(x_tr):.4f} valid {val_loss:.4f} acc {acc:.3f}")


if __name__ == "__main__":
    run()
