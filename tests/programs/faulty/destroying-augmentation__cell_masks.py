"""Bright cells on a noisy ground, segmented by a small U-Net with random flips.

fault: destroying-augmentation
also: 
split: train
line: 44
"""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

torch.set_num_threads(1)
torch.manual_seed(21)


def render(n, size=24):
    yy, xx = torch.meshgrid(torch.arange(size), torch.arange(size), indexing="ij")
    images, masks = [], []
    for _ in range(n):
        mask = torch.zeros(size, size, dtype=torch.bool)
        for _ in range(int(torch.randint(1, 4, (1,)))):
            cy, cx = torch.randint(4, size - 4, (2,))
            r = torch.randint(2, 5, (1,))
            mask |= (yy - cy) ** 2 + (xx - cx) ** 2 <= r ** 2
        shade = torch.linspace(-0.5, 0.5, size)[None, :]
        images.append(mask.float() * 1.2 + shade + 0.5 * torch.randn(size, size))
        masks.append(mask.float())
    return torch.stack(images)[:, None], torch.stack(masks)[:, None]


class Cells(Dataset):
    def __init__(self, images, masks, augment):
        self.images, self.masks, self.augment = images, masks, augment

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        image, mask = self.images[i], self.masks[i]
        if self.augment:
            if torch.rand(1) < 0.5:
                image = image.flip(-1)
            if torch.rand(1) < 0.5:
                image = image.flip(-2)
        return image, mask


def block(cin, cout):
    return nn.Sequential(nn.Conv2d(cin, cout, 3, padding=1), nn.BatchNorm2d(cout), nn.ReLU(),
                         nn.Conv2d(cout, cout, 3, padding=1), nn.BatchNorm2d(cout), nn.ReLU())


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down1, self.down2 = block(1, 8), block(8, 16)
        self.up = nn.ConvTranspose2d(16, 8, 2, stride=2)
        self.dec = block(16, 8)
        self.out = nn.Conv2d(8, 1, 1)

    def forward(self, x):
        a = self.down1(x)
        b = self.down2(F.max_pool2d(a, 2))
        return self.out(self.dec(torch.cat([a, self.up(b)], 1)))


class Trainer:
    def __init__(self, model, train, val, lr=3e-3):
        self.model = model
        self.train_loader = DataLoader(train, batch_size=16, shuffle=True)
        self.val_loader = DataLoader(val, batch_size=64)
        self.opt = torch.optim.AdamW(model.parameters(), lr=lr)

    def fit(self, epochs):
        for epoch in range(epochs):
            self.model.train()
            losses = []
            for image, mask in self.train_loader:
                loss = F.binary_cross_entropy_with_logits(self.model(image), mask)
                self.opt.zero_grad()
                loss.backward()
                self.opt.step()
                losses.append(loss.item())
            print(f"epoch {epoch}: loss {sum(losses) / len(losses):.4f}  val IoU {self.iou():.3f}")

    @torch.no_grad()
    def iou(self):
        self.model.eval()
        inter = union = 0.0
        for image, mask in self.val_loader:
            pred = self.model(image) > 0
            inter += (pred & mask.bool()).sum().item()
            union += (pred | mask.bool()).sum().item()
        return inter / max(union, 1.0)


if __name__ == "__main__":
    x, y = render(360)
    trainer = Trainer(UNet(), Cells(x[:280], y[:280], augment=True), Cells(x[280:], y[280:], augment=False))
    trainer.fit(8)
    print("final validation IoU", round(trainer.iou(), 3))
