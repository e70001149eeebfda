"""A convolutional network for digits, with transforms of its own.

split: train
"""

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, Dataset


class Normalize:
    def __init__(self, mean, std):
        self.mean, self.std = mean, std

    def __call__(self, x):
        return (x - self.mean) / self.std


class Rescale:
    def __init__(self, top):
        self.top = top

    def __call__(self, x):
        return x / self.top


class RandomShift:
    def __call__(self, x):
        s = int(torch.randint(-1, 2, (1,)))
        return torch.roll(x, s, dims=-1)


class Compose:
    def __init__(self, *ts):
        self.ts = ts

    def __call__(self, x):
        for t in self.ts:
            x = t(x)
        return x


class DigitSet(Dataset):
    def __init__(self, images, targets, transform=None):
        self.images = torch.as_tensor(images, dtype=torch.float32).unsqueeze(1)
        self.targets = torch.as_tensor(targets)
        self.transform = transform

    def __len__(self):
        return len(self.targets)

    def __getitem__(self, i):
        x = self.images[i]
        if self.transform is not None:
            x = self.transform(x)
        return x, self.targets[i]


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 16, 3, padding=1)
        self.conv2 = nn.Conv2d(16, 32, 3, padding=1)
        self.fc1 = nn.Linear(32 * 4, 64)
        self.fc2 = nn.Linear(64, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        return self.fc2(F.relu(self.fc1(x.flatten(1))))


def main():
    torch.manual_seed(31)
    d = load_digits()
    xtr, xva, ytr, yva = train_test_split(d.images, d.target, test_size=0.3, random_state=31, stratify=d.target)
    mean, std = float(xtr.mean()), float(xtr.std())
    train_tf = Compose(RandomShift(), Rescale(16.0), Normalize(mean / 16.0, std / 16.0))
    val_tf = Compose(Rescale(16.0), Normalize(mean / 16.0, std / 16.0))
    train = DataLoader(DigitSet(xtr, ytr, train_tf), batch_size=64, shuffle=True)
    val = DataLoader(DigitSet(xva, yva, val_tf), batch_size=128)

    net = Net()
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)
    for epoch in range(10):
        net.train()
        n = hit = 0
        tl = 0.0
        for x, y in train:
            out = net(x)
            loss = F.cross_entropy(out, y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            tl += loss.item() * len(y)
            hit += (out.argmax(1) == y).sum().item()
            n += len(y)
        net.eval()
        vl = vh = 0.0
        with torch.no_grad():
            for x, y in val:
                out = net(x)
                vl += F.cross_entropy(out, y, reduction="sum").item()
                vh += (out.argmax(1) == y).sum().item()
        m = len(val.dataset)
        print(f"epoch {epoch + 1:2d} train {tl / n:.4f}/{hit / n:.3f}  val {vl / m:.4f}/{vh / m:.3f}")


main()
