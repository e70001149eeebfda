"""Small CNN on the 8x8 digits, read class folder by class folder.

fault: labels-sorted
also: single-label-batches
split: test
line: 37
"""
import numpy as np
import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
rng = np.random.default_rng(0)

raw = load_digits()
train_x, train_y, val_x, val_y = [], [], [], []
for label in range(10):
    imgs = raw.images[raw.target == label] / 16.0
    imgs = imgs[rng.permutation(len(imgs))]
    n_val = len(imgs) // 5
    val_x.append(imgs[:n_val])
    val_y += [label] * n_val
    train_x.append(imgs[n_val:])
    train_y += [label] * (len(imgs) - n_val)

mean = np.concatenate(train_x).mean()
std = np.concatenate(train_x).std()


def to_dataset(chunks, labels):
    x = torch.tensor((np.concatenate(chunks) - mean) / std, dtype=torch.float32).unsqueeze(1)
    return TensorDataset(x, torch.tensor(labels))


train_loader = DataLoader(to_dataset(train_x, train_y), batch_size=32)
val_loader = DataLoader(to_dataset(val_x, val_y), batch_size=256)

model = nn.Sequential(
    nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(),
    nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
    nn.Flatten(), nn.Dropout(0.25), nn.Linear(32 * 16, 10),
)
opt = torch.optim.SGD(model.parameters(), lr=0.03, momentum=0.9, weight_decay=1e-4)
loss_fn = nn.CrossEntropyLoss()

for epoch in range(15):
    model.train()
    total, count = 0.0, 0
    for xb, yb in train_loader:
        opt.zero_grad()
        loss = loss_fn(model(xb), yb)
        loss.backward()
        opt.step()
        total += loss.item() * len(xb)
        count += len(xb)
    model.eval()
    with torch.no_grad():
        hits = sum((model(xb).argmax(1) == yb).sum().item() for xb, yb in val_loader)
    print(f"epoch {epoch:2d}  train loss {total / count:.4f}  val acc {hits / len(val_loader.dataset):.4f}")

print(f"score {hits / len(val_loader.dataset):.4f}")
