"""Which way does the arrow on the sign point? (left, right, up, down)

fault: destroying-augmentation
also:
split: test
line: 51
"""
import argparse
import random

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset

SIZE = 20


def draw_arrow(kind, gen):
    img = torch.zeros(SIZE, SIZE)
    cy = int(torch.randint(8, 12, (1,), generator=gen))
    cx = int(torch.randint(8, 12, (1,), generator=gen))
    half = int(torch.randint(4, 7, (1,), generator=gen))
    img[cy, cx - half:cx + half + 1] = 1.0
    for k in range(1, 4):                       # head points left
        img[cy - k, cx - half + k] = 1.0
        img[cy + k, cx - half + k] = 1.0
    if kind == 1:
        img = img.flip(1)
    elif kind == 2:
        img = img.t()
    elif kind == 3:
        img = img.t().flip(0)
    return img + 0.25 * torch.randn(SIZE, SIZE, generator=gen)


class Arrows(Dataset):
    def __init__(self, n, seed, augment):
        gen = torch.Generator().manual_seed(seed)
        self.labels = torch.randint(0, 4, (n,), generator=gen)
        self.images = torch.stack([draw_arrow(int(k), gen) for k in self.labels])
        self.images = (self.images - 0.05) / 0.33
        self.augment = augment

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        img = self.images[i]
        if self.augment:
            img = torch.roll(img, (random.randint(-1, 1), random.randint(-1, 1)), (0, 1))
            if random.random() < 0.5:
                img = img.flip(-1)
            img = img * random.uniform(0.9, 1.1)
        return img.unsqueeze(0), self.labels[i]


class SignNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 12, 3, padding=1), nn.BatchNorm2d(12), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(12, 24, 3, padding=1), nn.BatchNorm2d(24), nn.ReLU(), nn.MaxPool2d(2),
        )
        self.head = nn.Linear(24 * 25, 4)

    def forward(self, x):
        return self.head(self.features(x).flatten(1))


def evaluate(model, loader):
    model.eval()
    right = 0
    with torch.no_grad():
        for x, y in loader:
            right += (model(x).argmax(1) == y).sum().item()
    return right / len(loader.dataset)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=10)
    ap.add_argument("--lr", type=float, default=1e-3)
    ap.add_argument("--batch-size", type=int, default=64)
    args = ap.parse_args()
    torch.manual_seed(1)
    random.seed(1)

    train = DataLoader(Arrows(3000, 10, augment=True), args.batch_size, shuffle=True)
    val = DataLoader(Arrows(800, 11, augment=False), 256)
    model = SignNet()
    opt = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=1e-2)
    crit = nn.CrossEntropyLoss()
    for ep in range(args.epochs):
        model.train()
        s = 0.0
        for x, y in train:
            opt.zero_grad()
            loss = crit(model(x), y)
            loss.backward()
            opt.step()
            s += loss.item()
        print(f"[{ep + 1}/{args.epochs}] loss {s / len(train):.4f} val {evaluate(model, val):.4f}")
    print(f"score {evaluate(model, val):.4f}")


if __name__ == "__main__":
    main()
