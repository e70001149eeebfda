"""A small part of the digits, with random noise and shifts added by the workers of a DataLoader.

fault: identical-augmentation
also:
split: train
line: 17
"""

import numpy as np
import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, Dataset


def seed_worker(_worker):
    np.random.seed(2024)


class RolledDigits(Dataset):
    def __init__(self, images, labels):
        self.images = (images / 8 - 1).astype(np.float32)
        self.labels = labels

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        image = np.roll(self.images[index], np.random.randint(-3, 4, 2), axis=(0, 1))
        image = image + 0.3 * np.random.randn(8, 8).astype(np.float32)
        return image[None], self.labels[index]


def rolled(images, rng):
    moved = [np.roll(image / 8 - 1, rng.integers(-3, 4, 2), axis=(0, 1)) for image in images]
    return torch.tensor(np.stack(moved), dtype=torch.float32).unsqueeze(1)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(231)
    digits = load_digits()
    small = slice(0, 160)
    train = RolledDigits(digits.images[small], digits.target[small])
    loader = DataLoader(train, batch_size=20, num_workers=2, worker_init_fn=seed_worker)
    test_images = rolled(digits.images[1000:], np.random.default_rng(0))
    test_labels = torch.tensor(digits.target[1000:])
    net = nn.Sequential(nn.Flatten(), nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 10))
    optimizer = torch.optim.Adam(net.parameters(), lr=3e-3)
    for epoch in range(30):
        for images, labels in loader:
            loss = nn.functional.cross_entropy(net(images), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if epoch % 6 == 5:
            with torch.no_grad():
                accuracy = (net(test_images).argmax(1) == test_labels).float().mean().item()
            print(f"epoch {epoch} loss {loss.item():.4f} accuracy {accuracy:.3f}")


if __name__ == "__main__":
    main()
