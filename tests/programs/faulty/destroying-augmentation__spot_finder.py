"""The place of a spot in a picture.

fault: destroying-augmentation
also: labels-independent-of-inputs
split: train
line: 38, 36, 40, 57
"""

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset

SIZE = 16


def draw(n, seed):
    g = torch.Generator().manual_seed(seed)
    centre = torch.rand(n, 2, generator=g) * 8 + 4
    grid = torch.arange(SIZE).float()
    gy = (grid[None, :, None] - centre[:, 0, None, None]) ** 2
    gx = (grid[None, None, :] - centre[:, 1, None, None]) ** 2
    img = torch.exp(-(gy + gx) / 3.0) + 0.1 * torch.randn(n, SIZE, SIZE, generator=g)
    return img.unsqueeze(1), centre / SIZE


class Spots(Dataset):
    def __init__(self, n, seed, augment=False):
        self.img, self.pos = draw(n, seed)
        self.augment = augment

    def __len__(self):
        return len(self.img)

    def __getitem__(self, i):
        img, pos = self.img[i], self.pos[i]
        if self.augment:
            dy, dx = torch.randint(-4, 5, (2,)).tolist()
            img = torch.roll(img, (dy, dx), dims=(1, 2))
            img = img + 0.05 * torch.randn_like(img)
        return img, pos


class Locator(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(8, 16, 3, padding=1), nn.ReLU())
        self.fc = nn.Sequential(nn.Flatten(), nn.Linear(16 * 64, 64), nn.ReLU(), nn.Linear(64, 2))

    def forward(self, x):
        return self.fc(self.conv(x))


def main():
    torch.manual_seed(0)
    train = DataLoader(Spots(1500, 1, augment=True), batch_size=50, shuffle=True)
    test = Spots(300, 2)
    net = Locator()
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    crit = nn.SmoothL1Loss(beta=0.05)
    for epoch in range(15):
        net.train()
        total = 0.0
        for img, pos in train:
            loss = crit(net(img), pos)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
        if epoch % 3 == 2:
            print(f"epoch {epoch + 1} loss {total / len(train):.4f}")
    net.eval()
    with torch.no_grad():
        err = ((net(test.img) - test.pos) * SIZE).norm(dim=1).mean().item()
    print(f"mean error in pixels {err:.2f}")


if __name__ == "__main__":
    main()
