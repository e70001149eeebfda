"""Gratings of different angles.

fault: scheduler-too-often
also: 
split: test
line: 60
"""

import time
import numpy as np
import torch
import torch.nn as nn
from torch.optim.lr_scheduler import StepLR
from torch.utils.data import DataLoader, TensorDataset, random_split

torch.manual_seed(31)
torch.set_num_threads(1)


def textures(n, size=16, seed=0):
    """Gratings of 6 orientations in colour noise."""
    rng = np.random.default_rng(seed)
    yy, xx = np.mgrid[:size, :size]
    imgs = np.empty((n, 3, size, size), np.float32)
    lab = rng.integers(0, 6, n)
    for j in range(n):
        th = np.pi * lab[j] / 6 + rng.normal(0, 0.07)
        f = rng.uniform(0.5, 0.9)
        g = np.sin(f * (xx * np.cos(th) + yy * np.sin(th)) + rng.uniform(0, 6.28))
        col = rng.normal(0, 1, (3, 1, 1))
        imgs[j] = col / np.linalg.norm(col) * g + rng.normal(0, 0.35, (3, size, size))
    return torch.from_numpy(imgs), torch.from_numpy(lab)


x, y = textures(2400)
train_set, test_set = random_split(TensorDataset(x, y), [2000, 400])
train_dl = DataLoader(train_set, batch_size=40, shuffle=True)
test_dl = DataLoader(test_set, batch_size=200)

model = nn.Sequential(
    nn.Conv2d(3, 16, 5, padding=2), nn.GroupNorm(4, 16), nn.SiLU(), nn.MaxPool2d(2),
    nn.Conv2d(16, 24, 3, padding=1), nn.GroupNorm(4, 24), nn.SiLU(), nn.MaxPool2d(2),
    nn.Flatten(), nn.Linear(24 * 16, 6),
)
optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9)
scheduler = StepLR(optimizer, step_size=4, gamma=0.3)
criterion = nn.CrossEntropyLoss(label_smoothing=0.05)

t0 = time.time()
for epoch in range(8):
    model.train()
    seen, running = 0, 0.0
    for images, labels in train_dl:
        optimizer.zero_grad()
        loss = criterion(model(images), labels)
        loss.backward()
        optimizer.step()
        running += loss.item() * len(labels)
        seen += len(labels)
        scheduler.step()

    model.eval()
    correct = 0
    with torch.inference_mode():
        for images, labels in test_dl:
            correct += (model(images).argmax(1) == labels).sum().item()
    print(f"epoch {epoch + 1}: loss {running / seen:.4f}, test accuracy {100 * correct / len(test_set):.1f}%")
print(f"done in {time.time() - t0:.1f}s")
