"""Three-class segmentation of synthetic blobs and bars with a little fully convolutional net.

fault: scrambled-axes
also:
split: train
line: 68
"""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(9)
torch.set_num_threads(1)
NUM_CLASSES, S = 3, 24


def render(n):
    yy, xx = torch.meshgrid(torch.arange(S), torch.arange(S), indexing="ij")
    imgs, masks = [], []
    for _ in range(n):
        m = torch.zeros(S, S, dtype=torch.long)
        cx, cy, r = torch.randint(5, S - 5, (1,)), torch.randint(5, S - 5, (1,)), torch.randint(3, 6, (1,))
        m[(xx - cx) ** 2 + (yy - cy) ** 2 < r ** 2] = 1
        row = int(torch.randint(1, S - 4, (1,)))
        m[row:row + 3, :] = 2
        img = torch.tensor([0.0, 0.7, -0.7])[m] + 0.3 * torch.randn(S, S)
        imgs.append(img[None])
        masks.append(m)
    return torch.stack(imgs), torch.stack(masks)


def block(i, o):
    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.BatchNorm2d(o), nn.ReLU(inplace=True))


class TinyFCN(nn.Module):
    def __init__(self):
        super().__init__()
        self.d1, self.d2 = block(1, 12), block(12, 24)
        self.u1 = block(36, 12)
        self.out = nn.Conv2d(12, NUM_CLASSES, 1)

    def forward(self, x):
        a = self.d1(x)
        b = self.d2(F.max_pool2d(a, 2))
        b = F.interpolate(b, scale_factor=2)
        return self.out(self.u1(torch.cat([a, b], 1)))


def mean_iou(pred, gt):
    ious = []
    for c in range(NUM_CLASSES):
        inter = ((pred == c) & (gt == c)).sum().item()
        union = ((pred == c) | (gt == c)).sum().item()
        ious.append(inter / max(union, 1))
    return sum(ious) / len(ious)


x_train, m_train = render(160)
x_val, m_val = render(40)
model = TinyFCN()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
criterion = nn.CrossEntropyLoss()
for epoch in range(5):
    model.train()
    for idx in torch.randperm(160).split(16):
        logits = model(x_train[idx])
        flat = logits.view(-1, NUM_CLASSES)
        loss = criterion(flat, m_train[idx].view(-1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        pred = model(x_val).argmax(1)
    print(f"epoch {epoch} loss {loss.item():.4f} mIoU {mean_iou(pred, m_val):.4f}")
