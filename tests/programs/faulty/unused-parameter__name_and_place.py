"""A glyph in a picture: its name and its place, learnt together.

fault: unused-parameter
also: graph-cut
split: train
line: 54
"""

import torch
import torch.nn as nn
import torch.nn.functional as F


class LocateAndName(nn.Module):
    """A small detector: which glyph is in the picture, and where its centre is."""

    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2))
        self.shared = nn.Linear(32 * 16, 64)
        self.name = nn.Linear(64, 3)
        self.place = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 2))

    def forward(self, x):
        h = F.relu(self.shared(self.stem(x).flatten(1)))
        return self.name(h), self.place(h)


GLYPHS = torch.tensor([[[1, 1, 1], [1, 0, 1], [1, 1, 1]], [[0, 1, 0], [1, 1, 1], [0, 1, 0]], [[1, 0, 1], [0, 1, 0], [1, 0, 1.0]]])


def scenes(n):
    x = 0.25 * torch.randn(n, 1, 16, 16)
    name = torch.randint(0, 3, (n,))
    r, c = torch.randint(0, 14, (n,)), torch.randint(0, 14, (n,))
    for i in range(n):
        x[i, 0, r[i]:r[i] + 3, c[i]:c[i] + 3] += GLYPHS[name[i]]
    return x, name, torch.stack([r, c], 1).float() / 6.5 - 1


def main():
    torch.manual_seed(8)
    x, name, place = scenes(2000)
    xv, namev, placev = scenes(400)
    net = LocateAndName()
    opt = torch.optim.RMSprop(net.parameters(), lr=1e-3)
    for epoch in range(8):
        sums = [0.0, 0.0]
        for idx in torch.randperm(2000).split(50):
            opt.zero_grad()
            logits, xy = net(x[idx])
            loss_name = F.cross_entropy(logits, name[idx])
            loss_place = F.smooth_l1_loss(xy, place[idx])
            loss = loss_name + 2.0 * loss_place.item()
            loss.backward()
            opt.step()
            sums[0] += loss_name.item()
            sums[1] += loss_place.item()
        with torch.no_grad():
            lv, pv = net(xv)
        print("epoch", epoch, [round(s / 40, 4) for s in sums], "val acc", (lv.argmax(1) == namev).float().mean().item(), "val error in pixels", ((pv - placev).abs().mean() * 6.5).item())


main()
