"""Three classes of pixels in pictures of cells.

fault: softmax-over-batch
also:
split: test
line: 55
"""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

SIZE, CLASSES = 24, 3


def make_cells(n, seed):
    g = torch.Generator().manual_seed(seed)
    yy, xx = torch.meshgrid(torch.arange(SIZE), torch.arange(SIZE), indexing="ij")
    imgs = 0.25 * torch.randn(n, 1, SIZE, SIZE, generator=g)
    masks = torch.zeros(n, SIZE, SIZE, dtype=torch.long)
    for k in range(n):
        for _ in range(int(torch.randint(1, 4, (1,), generator=g))):
            cy, cx = torch.randint(4, SIZE - 4, (2,), generator=g).tolist()
            r = float(torch.rand(1, generator=g)) * 2 + 3
            d = ((yy - cy) ** 2 + (xx - cx) ** 2).float().sqrt()
            body, nucleus = d <= r, d <= r / 2
            masks[k][body] = 1
            masks[k][nucleus] = 2
        imgs[k, 0] += 0.6 * (masks[k] == 1) + 1.2 * (masks[k] == 2)
    return TensorDataset(imgs, masks)


class Block(nn.Sequential):
    def __init__(self, i, o):
        super().__init__(nn.Conv2d(i, o, 3, padding=1), nn.BatchNorm2d(o), nn.ReLU())


class MiniUNet(nn.Module):
    def __init__(self, c=10):
        super().__init__()
        self.d1, self.d2 = Block(1, c), Block(c, 2 * c)
        self.mid = Block(2 * c, 2 * c)
        self.u1 = Block(3 * c, c)
        self.out = nn.Conv2d(c, CLASSES, 1)

    def forward(self, x):
        a = self.d1(x)
        b = self.mid(self.d2(F.max_pool2d(a, 2)))
        b = F.interpolate(b, scale_factor=2, mode="nearest")
        return self.out(self.u1(torch.cat([a, b], 1)))


def pixel_nll(logits, mask):
    logp = torch.log_softmax(logits, dim=-1)
    return F.nll_loss(logp, mask)


@torch.no_grad()
def mean_iou(net, loader):
    net.eval()
    inter, union = torch.zeros(CLASSES), torch.zeros(CLASSES)
    for x, m in loader:
        p = net(x).argmax(1)
        for c in range(CLASSES):
            inter[c] += ((p == c) & (m == c)).sum()
            union[c] += ((p == c) | (m == c)).sum()
    return (inter / union.clamp(min=1)).mean().item()


def main():
    torch.manual_seed(21)
    train = DataLoader(make_cells(320, 0), batch_size=16, shuffle=True)
    test = DataLoader(make_cells(80, 1), batch_size=40)
    net = MiniUNet()
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    for epoch in range(8):
        net.train()
        tot = 0
        for x, m in train:
            loss = pixel_nll(net(x), m)
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot += loss.item()
        print(f"epoch {epoch}: nll {tot / len(train):.4f}  mIoU {mean_iou(net, test):.4f}")


if __name__ == "__main__":
    main()
