"""Per-pixel segmentation of discs and bars on noisy backgrounds.

fault: softmax-over-batch
also:
split: train
line: 44
"""
import torch
import torch.nn as nn
import torch.nn.functional as F

SIZE, CLASSES = 24, 3  # background, disc, bar


def draw(n, gen):
    yy, xx = torch.meshgrid(torch.arange(SIZE), torch.arange(SIZE), indexing="ij")
    masks = torch.zeros(n, SIZE, SIZE, dtype=torch.long)
    for m in masks:
        cy, cx = torch.randint(5, SIZE - 5, (2,), generator=gen).tolist()
        r = torch.randint(3, 6, (1,), generator=gen).item()
        by, bx = torch.randint(0, SIZE - 10, (2,), generator=gen).tolist()
        m[by:by + 3, bx:bx + 10] = 2
        m[(yy - cy) ** 2 + (xx - cx) ** 2 <= r * r] = 1
    levels = torch.tensor([0.0, 0.8, 0.9])
    images = levels[masks] + 0.35 * torch.randn(n, SIZE, SIZE, generator=gen)
    return images.unsqueeze(1), masks


class MiniUNet(nn.Module):
    def __init__(self, c=12):
        super().__init__()
        self.enc = nn.Sequential(nn.Conv2d(1, c, 3, padding=1), nn.ReLU())
        self.down = nn.Sequential(nn.MaxPool2d(2), nn.Conv2d(c, 2 * c, 3, padding=1), nn.ReLU(),
                                  nn.Conv2d(2 * c, 2 * c, 3, padding=1), nn.ReLU())
        self.dec = nn.Sequential(nn.Conv2d(3 * c, c, 3, padding=1), nn.ReLU(), nn.Conv2d(c, CLASSES, 1))

    def forward(self, x):
        a = self.enc(x)
        b = F.interpolate(self.down(a), scale_factor=2, mode="nearest")
        return self.dec(torch.cat([a, b], 1))


def pixel_loss(logits, mask):
    log_p = F.log_softmax(logits, dim=-1)
    return F.nll_loss(log_p, mask)


@torch.no_grad()
def mean_iou(model, images, masks):
    model.eval()
    pred = model(images).argmax(1)
    ious = []
    for k in range(CLASSES):
        inter = ((pred == k) & (masks == k)).sum()
        union = ((pred == k) | (masks == k)).sum()
        ious.append((inter / union.clamp(min=1)).item())
    return sum(ious) / CLASSES


def main():
    torch.manual_seed(0)
    gen = torch.Generator().manual_seed(1)
    x_train, m_train = draw(600, gen)
    x_test, m_test = draw(150, gen)
    model = MiniUNet()
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    for epoch in range(12):
        model.train()
        total = 0.0
        for idx in torch.randperm(len(x_train)).split(20):
            loss = pixel_loss(model(x_train[idx]), m_train[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(idx)
        print(f"epoch {epoch + 1} loss {total / len(x_train):.4f} test mIoU {mean_iou(model, x_test, m_test):.4f}")


main()
