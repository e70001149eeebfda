"""Arrows and where they point.

fault: destroying-augmentation
also: 
split: test
line: 54
"""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import Dataset, DataLoader

torch.set_num_threads(1)


class Arrows(Dataset):
    """12x12 images of arrows: left, right, up, down."""

    def __init__(self, n, seed, augment=None):
        g = torch.Generator().manual_seed(seed)
        self.y = torch.randint(0, 4, (n,), generator=g)
        self.x = torch.zeros(n, 1, 12, 12)
        for i, k in enumerate(self.y.tolist()):
            r, c = torch.randint(3, 9, (2,), generator=g).tolist()
            img = torch.zeros(12, 12)
            img[r, max(0, c - 3):c + 4] = 1.0
            for s in (1, 2):
                if c - 3 + s >= 0:
                    img[min(11, r + s), c - 3 + s] = 1.0
                    img[max(0, r - s), c - 3 + s] = 1.0
            if k == 1:
                img = img.flip(1)
            elif k == 2:
                img = torch.rot90(img, -1)
            elif k == 3:
                img = torch.rot90(img, 1)
            self.x[i, 0] = img + 0.25 * torch.randn(12, 12, generator=g)
        self.x = (self.x - 0.1) / 0.4
        self.augment = augment

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        x = self.x[i]
        if self.augment is not None:
            x = self.augment(x)
        return x, self.y[i]


def jitter(x):
    if torch.rand(()) < 0.5:
        x = x.flip(-1)
    if torch.rand(()) < 0.5:
        x = x.flip(-2)
    return x + 0.05 * torch.randn_like(x)


class SmallCNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1 = nn.Conv2d(1, 16, 5, padding=2)
        self.c2 = nn.Conv2d(16, 32, 3, padding=1)
        self.fc = nn.Linear(32 * 9, 4)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.c1(x)), 2)
        x = F.max_pool2d(F.relu(self.c2(x)), 2)
        return self.fc(x.flatten(1))


def main():
    torch.manual_seed(6)
    train = DataLoader(Arrows(1200, 1, augment=jitter), batch_size=30, shuffle=True)
    valid = DataLoader(Arrows(400, 2), batch_size=200)
    net = SmallCNN()
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    for epoch in range(10):
        net.train()
        total = 0.0
        for x, y in train:
            opt.zero_grad()
            loss = F.cross_entropy(net(x), y)
            loss.backward()
            opt.step()
            total += loss.item()
        net.eval()
        with torch.no_grad():
            acc = sum((net(x).argmax(1) == y).sum().item() for x, y in valid) / 400
        print(f"epoch {epoch}: train loss {total / len(train):.3f}  valid acc {acc:.3f}")


if __name__ == "__main__":
    main()
