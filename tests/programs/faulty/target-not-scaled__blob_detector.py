"""One-object detector: class and box of a pattern on a canvas.

fault: target-not-scaled
also: loss-terms-unbalanced, divergence, learning-rate-too-high
split: train
line: 17, 31
"""
import torch
from torch import nn
import torch.nn.functional as F

SIZE = 32


def canvas(n, gen):
    img = 0.2 * torch.randn(n, 1, SIZE, SIZE, generator=gen)
    box, cls = torch.zeros(n, 4), torch.randint(0, 4, (n,), generator=gen)
    for i in range(n):
        w, h = torch.randint(8, 14, (2,), generator=gen).tolist()
        x, y = int(torch.randint(0, SIZE - w, (1,), generator=gen)), int(torch.randint(0, SIZE - h, (1,), generator=gen))
        p = img[i, 0, y:y + h, x:x + w]
        k = int(cls[i])
        if k == 0:
            p += 1
        elif k == 1:
            p[::2] += 1.5
        elif k == 2:
            p[:, ::2] += 1.5
        else:
            p[::2, ::2] += 2
        box[i] = torch.tensor([x, y, w, h])
    return img, box, cls


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(
            nn.Conv2d(1, 12, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(12, 24, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(24, 24, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten())
        self.box = nn.Linear(24 * 16, 4)
        self.cls = nn.Linear(24 * 16, 4)

    def forward(self, x):
        h = self.stem(x)
        return self.box(h), self.cls(h)


def main():
    torch.manual_seed(6)
    gen = torch.Generator().manual_seed(6)
    img, box, cls = canvas(1000, gen)
    vi, vb, vc = canvas(200, gen)
    net = Detector()
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    for epoch in range(10):
        net.train()
        lb = lc = 0.0
        for idx in torch.randperm(len(img)).split(40):
            pb, pc = net(img[idx])
            l_box = F.mse_loss(pb, box[idx])
            l_cls = F.cross_entropy(pc, cls[idx])
            loss = 5 * l_box + l_cls
            opt.zero_grad()
            loss.backward()
            opt.step()
            lb, lc = lb + l_box.item() / 25, lc + l_cls.item() / 25
        net.eval()
        with torch.no_grad():
            pb, pc = net(vi)
            acc = (pc.argmax(1) == vc).float().mean().item()
            err = ((pb - vb).abs().mean() / vb.mean()).item()
        print(f"{epoch}: box {lb:.4f} cls {lc:.3f} | val acc {acc:.3f} rel box err {err:.3f}")
    print("SCORE", acc)


if __name__ == "__main__":
    main()
