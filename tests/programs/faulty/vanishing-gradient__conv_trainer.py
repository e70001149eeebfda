"""A deep convolutional network on small images of digits.

fault: vanishing-gradient
also: saturated-activation, activation-scale
split: test
line: 19
"""

import torch
from sklearn.datasets import load_digits
from torch import nn


class DeepConv(nn.Module):
    def __init__(self, channels=12, depth=8):
        super().__init__()
        self.stem = nn.Conv2d(1, channels, 3, padding=1)
        self.body = nn.ModuleList(nn.Conv2d(channels, channels, 3, padding=1) for _ in range(depth))
        self.act = nn.Sigmoid()
        self.head = nn.Linear(channels * 16, 10)

    def forward(self, images):
        x = self.act(self.stem(images))
        for conv in self.body:
            x = self.act(conv(x))
        return self.head(nn.functional.avg_pool2d(x, 2).flatten(1))


class Trainer:
    def __init__(self, model, images, labels):
        self.model, self.images, self.labels = model, images, labels
        self.optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
        self.criterion = nn.CrossEntropyLoss()

    def epoch(self):
        for rows in torch.randperm(1400).split(50):
            self.optimizer.zero_grad()
            self.criterion(self.model(self.images[rows]), self.labels[rows]).backward()
            self.optimizer.step()

    def score(self):
        with torch.no_grad():
            guesses = self.model(self.images[1400:]).argmax(1)
        return (guesses == self.labels[1400:]).float().mean().item()


torch.set_num_threads(1)
torch.manual_seed(0)
digits = load_digits()
order = torch.randperm(len(digits.target))
images = (torch.tensor(digits.images, dtype=torch.float32).unsqueeze(1) / 8 - 1)[order]
trainer = Trainer(DeepConv(), images, torch.tensor(digits.target)[order])
for number in range(6):
    trainer.epoch()
    print("epoch", number, "accuracy", round(trainer.score(), 3))
