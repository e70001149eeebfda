"""Circles, squares and crosses in 8-bit grey images, recognised by an MLP.

fault: input-not-scaled
also: learning-rate-too-high
split: train
line: 32
"""
import numpy as np
import torch
from torch import nn
from torch.utils.data import Dataset, DataLoader


class ShapeImages(Dataset):
    def __init__(self, n, seed):
        g = np.random.default_rng(seed)
        yy, xx = np.mgrid[:16, :16]
        self.img = np.zeros((n, 16, 16), np.uint8)
        self.lab = g.integers(0, 3, n)
        for i, k in enumerate(self.lab):
            cx, cy = g.integers(6, 10, 2)
            r = g.integers(3, 6)
            dx, dy = np.abs(xx - cx), np.abs(yy - cy)
            m = [np.abs(np.hypot(dx, dy) - r) < 0.8, np.abs(np.maximum(dx, dy) - r) < 0.6, (np.minimum(dx, dy) < 1) & (np.maximum(dx, dy) <= r)][k]
            im = g.integers(0, 60, (16, 16)) + m * g.integers(120, 195)
            self.img[i] = np.clip(im, 0, 255)

    def __len__(self):
        return len(self.lab)

    def __getitem__(self, i):
        x = torch.from_numpy(self.img[i]).float().flatten()
        return x, int(self.lab[i])


def main():
    torch.manual_seed(0)
    torch.set_num_threads(1)
    tr = DataLoader(ShapeImages(1200, 0), 32, shuffle=True)
    te = DataLoader(ShapeImages(300, 1), 100)
    net = nn.Sequential(nn.Linear(256, 64), nn.ReLU(), nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 3))
    opt = torch.optim.SGD(net.parameters(), lr=0.02, momentum=0.9)
    for ep in range(10):
        for x, y in tr:
            loss = nn.functional.cross_entropy(net(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
        with torch.no_grad():
            acc = np.mean([(net(x).argmax(1) == y).float().mean().item() for x, y in te])
        print(f"epoch {ep} | loss {loss.item():.4f} | accuracy {acc:.4f}")


main()
