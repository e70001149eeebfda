"""Tells in which of four directions an arrow points, with image augmentation.

fault: destroying-augmentation
also: labels-independent-of-inputs
split: train
line: 61
"""
import torch
import torch.nn as nn
from torch.utils.data import Dataset, DataLoader

torch.manual_seed(47)
torch.set_num_threads(1)


class Arrows(Dataset):
    def __init__(self, n, transform=None):
        self.x, self.y = [], []
        base = torch.zeros(12, 12)
        base[5:7, 2:10] = 1
        for d in range(4):
            base[6 - d - 1, 9 - d] = base[6 + d, 9 - d] = 1
        for _ in range(n):
            k = int(torch.randint(0, 4, ()))
            im = torch.rot90(base, k)
            im = im.roll((int(torch.randint(-1, 2, ())), int(torch.randint(-1, 2, ()))), (0, 1))
            self.x.append((im + 0.4 * torch.randn(12, 12)).unsqueeze(0))
            self.y.append(k)
        self.transform = transform

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        x = self.x[i]
        return (self.transform(x) if self.transform else x), self.y[i]


class RandomShift:
    def __call__(self, im):
        return im.roll(int(torch.randint(-1, 2, ())), int(torch.randint(1, 3, ())))


class RandomTurn:
    def __call__(self, im):
        if torch.rand(()) < 0.5:
            im = im.flip(-1)
        return torch.rot90(im, int(torch.randint(0, 4, ())), (1, 2))


class Compose:
    def __init__(self, *ts):
        self.ts = ts

    def __call__(self, im):
        for t in self.ts:
            im = t(im)
        return im


train_dl = DataLoader(Arrows(1000, Compose(RandomShift(), RandomTurn())), 40, shuffle=True)
val_dl = DataLoader(Arrows(300), 100)
net = nn.Sequential(nn.Conv2d(1, 12, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(12, 16, 3), nn.ReLU(), nn.Flatten(), nn.Linear(144, 4))
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
for ep in range(8):
    net.train()
    s = 0.0
    for x, y in train_dl:
        loss = nn.functional.cross_entropy(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        s += loss.item()
    net.eval()
    with torch.no_grad():
        hit = sum((net(x).argmax(1) == y).sum().item() for x, y in val_dl)
    print(f"ep {ep} train loss {s / len(train_dl):.4f} val acc {hit / 300:.4f}")
