"""Steering from small pictures of a road: the angle is a number between left and right.

fault: destroying-augmentation
also:
split: train
line: 27
"""

import torch
from torch import nn


def road(count, generator, size=20):
    angle = 2 * torch.rand(count, generator=generator) - 1
    start = 6 + 8 * torch.rand(count, generator=generator)
    rows = torch.arange(size)
    center = start[:, None] + angle[:, None] * 6 * ((size - 1 - rows) / size) ** 2
    columns = torch.arange(size).float()
    lane = torch.exp(-((columns[None, None] - center[:, :, None]) ** 2) / 2)
    return (lane + 0.2 * torch.randn(lane.shape, generator=generator)).unsqueeze(1), angle.unsqueeze(1)


def jitter(pictures):
    """Other light, other noise, other side of the road."""
    pictures = pictures * (0.8 + 0.4 * torch.rand(len(pictures), 1, 1, 1))
    swap = torch.rand(len(pictures)) < 0.5
    pictures = torch.where(swap[:, None, None, None], torch.flip(pictures, dims=[3]), pictures)
    return pictures + 0.05 * torch.randn_like(pictures)


class Driver(nn.Module):
    def __init__(self):
        super().__init__()
        self.look = nn.Sequential(nn.Conv2d(1, 12, 3, stride=2), nn.ReLU(), nn.Conv2d(12, 24, 3, stride=2), nn.ReLU())
        self.steer = nn.Sequential(nn.Flatten(), nn.Linear(24 * 16, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, pictures):
        return self.steer(self.look(pictures))


def main():
    torch.set_num_threads(1)
    torch.manual_seed(50)
    generator = torch.Generator().manual_seed(51)
    pictures, angles = road(1500, generator)
    new_pictures, new_angles = road(400, generator)
    driver = Driver()
    optimizer = torch.optim.Adam(driver.parameters(), lr=2e-3)
    for epoch in range(8):
        driver.train()
        for rows in torch.randperm(len(pictures)).split(50):
            loss = nn.functional.mse_loss(driver(jitter(pictures[rows])), angles[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        driver.eval()
        with torch.no_grad():
            error = nn.functional.mse_loss(driver(new_pictures), new_angles).item()
        print(f"epoch {epoch} loss {loss.item():.4f} error on new roads {error:.4f}")


main()
