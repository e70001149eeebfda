"""A convolutional network on noisy 12 x 12 images of bars, with the contrast of each image stretched when it is loaded.

fault: nan-input
also:
split: test
line: 34
"""

import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Bars(Dataset):
    def __init__(self, count, seed):
        g = torch.Generator().manual_seed(seed)
        self.labels = torch.randint(0, 2, (count,), generator=g)
        self.images = 0.2 * torch.rand(count, 12, 12, generator=g)
        places = torch.randint(0, 12, (count,), generator=g)
        for image, label, place in zip(self.images, self.labels, places, strict=True):
            if label:
                image[place] += 0.5
            else:
                image[:, place] += 0.5
        self.images[100::400] = 0.0

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        image = self.images[i]
        image = (image - image.min()) / (image.max() - image.min())
        return image.unsqueeze(0) - 0.3, self.labels[i]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--lr", type=float, default=3e-3)
    args = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(205)
    train = DataLoader(Bars(1200, 0), batch_size=32, shuffle=True)
    test = DataLoader(Bars(300, 1), batch_size=100)
    net = nn.Sequential(nn.Conv2d(1, 8, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(200, 2))
    optimizer = torch.optim.Adam(net.parameters(), lr=args.lr)
    for epoch in range(args.epochs):
        for images, labels in train:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(net(images), labels)
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            right = torch.cat([net(images).argmax(1) == labels for images, labels in test])
        print(f"epoch {epoch} loss {loss.item():.4f} accuracy {right.float().mean().item():.3f}")


main()
