"""Which way a bar moves between two frames, turned upside down at random.

split: train
"""

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


def make_clip(gen):
    a, b = torch.zeros(16, 16), torch.zeros(16, 16)
    col = int(torch.randint(5, 11, (1,), generator=gen))
    shift = int(torch.randint(1, 4, (1,), generator=gen))
    right = int(torch.randint(0, 2, (1,), generator=gen))
    a[:, col] = 1
    b[:, col + (shift if right else -shift)] = 1
    clip = torch.stack([a, b]) + 0.15 * torch.randn(2, 16, 16, generator=gen)
    return clip, right


class Clips(Dataset):
    def __init__(self, n, seed, augment=None):
        gen = torch.Generator().manual_seed(seed)
        self.data = [make_clip(gen) for _ in range(n)]
        self.augment = augment

    def __len__(self):
        return len(self.data)

    def __getitem__(self, i):
        clip, label = self.data[i]
        if self.augment:
            clip = self.augment(clip)
        return clip, label


def random_flip(clip):
    if torch.rand(()) < 0.5:
        clip = clip.flip(-2)
    return clip


class MotionNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv2d(2, 16, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2),
                                  nn.Conv2d(16, 16, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2))
        self.head = nn.Linear(16 * 16, 2)

    def forward(self, clip):
        return self.head(self.conv(clip).flatten(1))


torch.manual_seed(8)
train = DataLoader(Clips(800, 1, random_flip), batch_size=32, shuffle=True)
test = DataLoader(Clips(200, 2), batch_size=100)
net = MotionNet()
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
for epoch in range(6):
    net.train()
    for clip, label in train:
        loss = nn.functional.cross_entropy(net(clip), label)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    net.eval()
    with torch.no_grad():
        accuracy = torch.cat([(net(c).argmax(1) == l).float() for c, l in test]).mean()
    print(f"epoch {epoch}  loss {loss.item():.3f}  accuracy {accuracy.item():.3f}")
