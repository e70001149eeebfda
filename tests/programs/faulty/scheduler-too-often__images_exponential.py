"""A convolutional network on generated textures, with Adam and an exponential schedule.

fault: scheduler-too-often
also:
split: train
line: 42
"""

import torch
import torch.nn.functional as F
from torch import nn


class TextureNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 8, 5, padding=2)
        self.conv2 = nn.Conv2d(8, 16, 3, padding=1)
        self.fc = nn.Linear(16, 4)

    def forward(self, x):
        x = F.max_pool2d(torch.relu(self.conv1(x)), 2)
        return self.fc(torch.relu(self.conv2(x)).mean((2, 3)))


def textures(count, size=14):
    label = torch.randint(0, 4, (count,))
    angle = label.float() * torch.pi / 4 + 0.15 * torch.randn(count)
    line = torch.arange(size).float()
    wave = torch.cos(angle).view(-1, 1, 1) * line + torch.sin(angle).view(-1, 1, 1) * line.view(-1, 1)
    phase = torch.rand(count, 1, 1) * 2 * torch.pi
    return (torch.sin(1.4 * wave + phase) + 0.5 * torch.randn(count, size, size)).unsqueeze(1), label


def run_epoch(model, optimizer, scheduler, images, labels):
    model.train()
    for rows in torch.randperm(len(images)).split(50):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(images[rows]), labels[rows])
        loss.backward()
        optimizer.step()
        scheduler.step()
    return loss.item()


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(31)
    images, labels = textures(1500)
    test_images, test_labels = textures(300)
    model = TextureNet()
    optimizer = torch.optim.Adam(model.parameters(), lr=4e-3)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.85)
    for epoch in range(8):
        loss = run_epoch(model, optimizer, scheduler, images, labels)
        model.eval()
        with torch.no_grad():
            accuracy = (model(test_images).argmax(1) == test_labels).float().mean().item()
        print(f"epoch {epoch}: loss {loss:.4f} accuracy {accuracy:.3f}")
