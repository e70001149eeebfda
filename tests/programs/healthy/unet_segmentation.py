"""A small U-Net finds bright discs in noisy images; few pixels are foreground; judged by intersection over union.

split: train
"""

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(76)


def make_images(count, side=24):
    rows, columns = torch.meshgrid(torch.arange(side), torch.arange(side), indexing="ij")
    centre = torch.randint(5, side - 5, (count, 2, 1, 1))
    radius = torch.randint(2, 5, (count, 1, 1))
    mask = ((rows - centre[:, 0]) ** 2 + (columns - centre[:, 1]) ** 2 <= radius**2).float().unsqueeze(1)
    return mask * 0.7 + 0.3 * torch.randn(count, 1, side, side), mask


def double(inside, outside):
    return nn.Sequential(
        nn.Conv2d(inside, outside, 3, padding=1),
        nn.BatchNorm2d(outside),
        nn.ReLU(inplace=True),
        nn.Conv2d(outside, outside, 3, padding=1),
        nn.BatchNorm2d(outside),
        nn.ReLU(inplace=True),
    )


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down1, self.down2 = double(1, 8), double(8, 16)
        self.up = nn.ConvTranspose2d(16, 8, 2, stride=2)
        self.join = double(16, 8)
        self.out = nn.Conv2d(8, 1, 1)

    def forward(self, x):
        first = self.down1(x)
        second = self.down2(F.max_pool2d(first, 2))
        return self.out(self.join(torch.cat([first, self.up(second)], 1)))


def dice_loss(logits, mask):
    share = torch.sigmoid(logits)
    overlap = (share * mask).sum((1, 2, 3))
    return 1 - ((2 * overlap + 1) / (share.sum((1, 2, 3)) + mask.sum((1, 2, 3)) + 1)).mean()


images, masks = make_images(320)
test_images, test_masks = make_images(64)
model = UNet()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for epoch in range(6):
    model.train()
    for rows in torch.randperm(len(images)).split(16):
        logits = model(images[rows])
        loss = F.binary_cross_entropy_with_logits(logits, masks[rows]) + dice_loss(logits, masks[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        guess = model(test_images) > 0
    both = (guess & test_masks.bool()).sum().item()
    either = (guess | test_masks.bool()).sum().item()
    print(f"epoch {epoch} loss {loss.item():.3f} intersection over union {both / either:.3f}")
