"""A small CNN on generated crosses and circles, with a Trainer that accumulates gradients.

fault: accumulation-not-averaged
also: learning-rate-too-high
split: test
line: 46
"""

from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Config:
    micro_batch: int = 10
    accumulate: int = 12
    updates: int = 80
    lr: float = 0.3


def drawings(count, size=11):
    grid = torch.arange(size).float() - size // 2
    shift = torch.randint(-2, 3, (2, count, 1, 1)).float()
    across, down = (grid.view(1, 1, -1) - shift[0]).abs(), (grid.view(1, -1, 1) - shift[1]).abs()
    ring = ((across**2 + down**2).sqrt() - 3).abs() < 0.7
    cross = ((across - down).abs() < 0.5) & (across < 3.5)
    label = torch.randint(0, 2, (count,))
    shape = torch.where(label.view(-1, 1, 1) == 0, ring, cross).float()
    return (shape + 0.2 * torch.randn(count, size, size)).unsqueeze(1), label.float()


class Trainer:
    def __init__(self, config):
        self.config = config
        self.model = nn.Sequential(nn.Conv2d(1, 8, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(128, 1))
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=config.lr)
        self.criterion = nn.BCEWithLogitsLoss()

    def update(self):
        total = 0.0
        for _ in range(self.config.accumulate):
            images, labels = drawings(self.config.micro_batch)
            loss = self.criterion(self.model(images).squeeze(1), labels)
            loss.backward()
            total += loss.item()
        self.optimizer.step()
        self.optimizer.zero_grad()
        return total / self.config.accumulate

    def run(self):
        for number in range(1, self.config.updates + 1):
            loss = self.update()
            if number % 20 == 0:
                images, labels = drawings(300)
                with torch.no_grad():
                    accuracy = ((self.model(images).squeeze(1) > 0) == (labels > 0)).float().mean().item()
                print(f"update {number:3d} loss {loss:.4f} accuracy {accuracy:.3f}")


torch.set_num_threads(1)
torch.manual_seed(52)
Trainer(Config()).run()
