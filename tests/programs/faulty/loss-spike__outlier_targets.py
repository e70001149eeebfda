"""A convolutional regression of the brightness centre of images, with a DataLoader and Adam.

fault: loss-spike
also: target-not-scaled, exploding-gradient
split: train
line: 35
"""

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Spots(Dataset):
    def __init__(self, count, seed):
        generator = torch.Generator().manual_seed(seed)
        self.place = torch.rand(count, 2, generator=generator) * 2 - 1
        grid = torch.linspace(-1, 1, 12)
        dx = grid.view(1, 1, 12) - self.place[:, 0].view(-1, 1, 1)
        dy = grid.view(1, 12, 1) - self.place[:, 1].view(-1, 1, 1)
        images = torch.exp(-8 * (dx**2 + dy**2)) + 0.05 * torch.randn(count, 12, 12, generator=generator)
        self.images = ((images - images.mean()) / images.std()).unsqueeze(1)

    def __len__(self):
        return len(self.images)

    def __getitem__(self, row):
        return self.images[row], self.place[row]


def main():
    torch.set_num_threads(1)
    torch.manual_seed(512)
    train, test = Spots(1200, 1), Spots(300, 2)
    train.place[700] = torch.tensor([900.0, -700.0])
    loader = DataLoader(train, batch_size=30, shuffle=True)
    model = nn.Sequential(
        nn.Conv2d(1, 8, 3, padding=1),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(288, 32),
        nn.ReLU(),
        nn.Linear(32, 2),
    )
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3, betas=(0.9, 0.99))
    for epoch in range(6):
        for images, place in loader:
            loss = nn.functional.mse_loss(model(images), place)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            distance = (model(test.images) - test.place).norm(dim=1).mean().item()
        print(f"epoch {epoch} loss {loss.item():.4f} distance {distance:.4f}")


main()
