"""Stripes in pictures, seen patch by patch.

split: test
"""

import time

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

torch.set_num_threads(1)


class Shapes(Dataset):
    """16x16 grey images: horizontal bar, vertical bar, square, diagonal."""

    def __init__(self, n, seed):
        rng = np.random.default_rng(seed)
        self.x = rng.normal(0, 0.25, (n, 1, 16, 16)).astype(np.float32)
        self.y = rng.integers(0, 4, n)
        for i, c in enumerate(self.y):
            r, k = rng.integers(2, 11, 2)
            if c == 0:
                self.x[i, 0, r, k - 2:k + 5] += 1
            elif c == 1:
                self.x[i, 0, r - 2:r + 5, k] += 1
            elif c == 2:
                self.x[i, 0, r:r + 4, k:k + 4] += 1
            else:
                for j in range(5):
                    self.x[i, 0, r + j, k + j] += 1

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return torch.from_numpy(self.x[i]), int(self.y[i])


class TinyViT(nn.Module):
    def __init__(self, patch=4, dim=48, depth=2, heads=4, classes=4):
        super().__init__()
        self.patch = nn.Conv2d(1, dim, patch, patch)
        self.cls = nn.Parameter(torch.zeros(1, 1, dim))
        self.pos = nn.Parameter(torch.randn(1, 17, dim) * 0.02)
        layer = nn.TransformerEncoderLayer(dim, heads, dim * 2, dropout=0.1, batch_first=True,
                                           norm_first=True, activation="gelu")
        self.blocks = nn.TransformerEncoder(layer, depth, enable_nested_tensor=False)
        self.norm = nn.LayerNorm(dim)
        self.head = nn.Linear(dim, classes)

    def forward(self, x):
        t = self.patch(x).flatten(2).transpose(1, 2)
        t = torch.cat([self.cls.expand(len(t), -1, -1), t], 1) + self.pos
        return self.head(self.norm(self.blocks(t))[:, 0])


def main():
    torch.manual_seed(0)
    train = DataLoader(Shapes(2400, 1), batch_size=48, shuffle=True, drop_last=True)
    test = DataLoader(Shapes(600, 2), batch_size=200)
    model = TinyViT()
    epochs = 5
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.05)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=3e-3, total_steps=epochs * len(train), pct_start=0.2)
    crit = nn.CrossEntropyLoss(label_smoothing=0.1)
    t0 = time.time()
    for ep in range(epochs):
        model.train()
        tot = 0.0
        for x, y in train:
            opt.zero_grad()
            loss = crit(model(x), y)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            sched.step()
            tot += loss.item()
        model.eval()
        hit = 0
        with torch.no_grad():
            for x, y in test:
                hit += (model(x).argmax(-1) == y).sum().item()
        print(f"epoch {ep} loss {tot / len(train):.4f} test acc {hit / 600:.4f} ({time.time() - t0:.1f}s)")


if __name__ == "__main__":
    main()
