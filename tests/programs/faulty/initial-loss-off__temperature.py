"""A picture model that compares an embedding with class vectors by cosine and a temperature.

fault: initial-loss-off
also:
split: test
line: 65
"""

import torch
import torch.nn.functional as F
from torch import nn


class CosineHead(nn.Module):
    def __init__(self, width, classes, temperature):
        super().__init__()
        self.classes = nn.Parameter(torch.randn(classes, width))
        self.temperature = temperature

    def forward(self, x):
        similarity = F.normalize(x, dim=1) @ F.normalize(self.classes, dim=1).T
        return similarity / self.temperature


class Net(nn.Module):
    def __init__(self, temperature):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(1, 8, 3, stride=2), nn.LeakyReLU(), nn.Flatten(), nn.Linear(8 * 25, 16))
        self.head = CosineHead(16, 6, temperature)

    def forward(self, x):
        return self.head(self.body(x))


class Pictures:
    """Six random templates under noise."""

    def __init__(self):
        self.templates = torch.randn(6, 1, 12, 12)

    def sample(self, count):
        label = torch.randint(0, 6, (count,))
        return 0.3 * self.templates[label] + torch.randn(count, 1, 12, 12), label


def train(model, pictures, steps=250):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for step in range(steps + 1):
        image, label = pictures.sample(32)
        loss = F.cross_entropy(model(image), label)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 50 == 0:
            image, label = pictures.sample(500)
            with torch.no_grad():
                logits = model(image)
            right = (logits.argmax(1) == label).float().mean().item()
            print(f"step {step}: test loss {F.cross_entropy(logits, label).item():.4f} accuracy {right:.3f}")


torch.set_num_threads(1)
torch.manual_seed(141)
pictures = Pictures()
train(Net(temperature=0.002), pictures)
