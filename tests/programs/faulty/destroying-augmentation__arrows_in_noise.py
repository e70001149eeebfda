"""Which of four ways an arrow points, drawn small and with noise, from a data set that augments.

fault: destroying-augmentation
also: 
split: train
line: 45
"""

# Which way does the arrow point? 4-way classification on rendered 16x16 images.
import random
import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset

random.seed(8); np.random.seed(8); torch.manual_seed(8)
torch.set_num_threads(1)
NAMES = ["right", "up", "left", "down"]


def draw_arrow(k):
    img = np.zeros((16, 16), dtype=np.float32)
    r = np.random.randint(5, 11)
    c0, length = np.random.randint(1, 4), np.random.randint(8, 12)
    c1 = min(c0 + length, 14)
    img[r, c0:c1 + 1] = 1
    for d in range(1, np.random.randint(3, 5)):
        img[r - d, c1 - d] = img[r + d, c1 - d] = 1
    return np.rot90(img, k).copy()


class Arrows(Dataset):
    def __init__(self, n, augment):
        self.k = np.random.randint(0, 4, n)
        self.img = np.stack([draw_arrow(k) for k in self.k])
        self.augment = augment

    def __len__(self):
        return len(self.k)

    def __getitem__(self, i):
        img = self.img[i]
        if self.augment:
            if random.random() < 0.5:
                img = img[:, ::-1]
            img = np.roll(img, random.randint(-1, 1), axis=1)
            img = img * random.uniform(0.7, 1.3)
        img = img + 0.1 * np.random.randn(16, 16).astype(np.float32)
        return torch.from_numpy(np.ascontiguousarray(img, dtype=np.float32))[None], int(self.k[i])


train_dl = DataLoader(Arrows(1500, True), batch_size=50, shuffle=True)
val_dl = DataLoader(Arrows(400, False), batch_size=200)

model = nn.Sequential(
    nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
    nn.Conv2d(8, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
    nn.Flatten(), nn.Linear(256, 32), nn.ReLU(), nn.Linear(32, 4))
opt = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=0.01)
loss_fn = nn.CrossEntropyLoss()

for epoch in range(8):
    model.train()
    tl = []
    for x, k in train_dl:
        opt.zero_grad()
        loss = loss_fn(model(x), k)
        loss.backward()
        opt.step()
        tl.append(loss.item())
    model.eval()
    preds, truth = [], []
    with torch.no_grad():
        for x, k in val_dl:
            preds.append(model(x).argmax(1)); truth.append(k)
    preds, truth = torch.cat(preds), torch.cat(truth)
    per = {n: round((preds[truth == i] == i).float().mean().item(), 2) for i, n in enumerate(NAMES)}
    print(f"ep {epoch} loss {np.mean(tl):.3f} val acc {(preds == truth).float().mean():.3f} {per}")
