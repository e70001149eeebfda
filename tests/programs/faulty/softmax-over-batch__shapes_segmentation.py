"""Semantic segmentation of discs and squares on noisy backgrounds, mean IoU.

fault: softmax-over-batch
also:
split: test
line: 53
"""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)


def scene(n, s=20):
    yy, xx = torch.meshgrid(torch.arange(s), torch.arange(s), indexing="ij")
    img, lab = torch.zeros(n, 1, s, s), torch.zeros(n, s, s, dtype=torch.long)
    for i in range(n):
        cy, cx = torch.randint(5, s - 5, (2,)).tolist()
        r = int(torch.randint(4, 6, (1,)))
        kind = 1 + i % 2
        m = (yy - cy) ** 2 + (xx - cx) ** 2 <= r * r if kind == 1 else ((yy - cy).abs() <= r - 1) & ((xx - cx).abs() <= r - 1)
        img[i, 0][m] = 1.0 if kind == 1 else -1.0
        lab[i][m] = kind
    return img + 0.5 * torch.randn_like(img), lab


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = nn.Sequential(nn.Conv2d(1, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2))
        self.mid = nn.Sequential(nn.Conv2d(16, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU())
        self.up = nn.ConvTranspose2d(16, 16, 2, stride=2)
        self.head = nn.Conv2d(17, 3, 3, padding=1)

    def forward(self, x):
        h = F.relu(self.up(self.mid(self.down(x))))
        return self.head(torch.cat([h, x], 1))


def miou(logits, lab):
    pred = logits.argmax(1)
    return torch.stack([((pred == c) & (lab == c)).sum() / ((pred == c) | (lab == c)).sum().clamp(min=1) for c in range(3)]).mean().item()


xtr, ytr = scene(240)
xva, yva = scene(60)
net = Net()
opt = torch.optim.Adam(net.parameters(), lr=5e-3)
for epoch in range(8):
    net.train()
    for idx in torch.randperm(240).split(16):
        logp = torch.log_softmax(net(xtr[idx]), dim=-1)
        loss = F.nll_loss(logp, ytr[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
    net.eval()
    with torch.no_grad():
        score = miou(net(xva), yva)
    print(f"epoch {epoch} loss {loss.item():.3f} mIoU {score:.3f}")
print("SCORE", score)
