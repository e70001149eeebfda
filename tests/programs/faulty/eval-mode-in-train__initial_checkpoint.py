"""A deep CNN with batch-norm that starts from stored initial weights, so that all runs begin alike.

fault: eval-mode-in-train
also:
split: test
line: 59
"""

import io

import torch
import torch.nn.functional as F
from torch import nn


class ConvBlock(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.conv = nn.Conv2d(inputs, outputs, 3, padding=1, bias=False)
        self.bn = nn.BatchNorm2d(outputs)

    def forward(self, x):
        return F.relu(self.bn(self.conv(x)))


def build(depth=7, channels=8):
    blocks = [ConvBlock(1, channels)] + [ConvBlock(channels, channels) for _ in range(depth)]
    return nn.Sequential(*blocks, nn.AdaptiveAvgPool2d(3), nn.Flatten(), nn.Linear(9 * channels, 4))


def store_initial():
    file = io.BytesIO()
    torch.save(build().state_dict(), file)
    file.seek(0)
    return file


def load_initial(file):
    model = build()
    model.load_state_dict(torch.load(file))
    model.eval()
    return model


def pictures(count):
    """A bright square in one of the four quarters of a noisy picture."""
    label = torch.randint(0, 4, (count,))
    image = 0.7 * torch.randn(count, 1, 10, 10)
    for number, quarter in enumerate(label.tolist()):
        row, column = quarter // 2 * 5, quarter % 2 * 5
        image[number, 0, row + 1 : row + 4, column + 1 : column + 4] += 1.5
    return image, label


def train(model, steps, lr=0.02):
    optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9, weight_decay=1e-4)
    for step in range(1, steps + 1):
        images, labels = pictures(32)
        logits = model(images)
        loss = F.cross_entropy(logits, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 20 == 0:
            accuracy = (logits.argmax(1) == labels).float().mean().item()
            print(f"step {step}: loss {loss.item():.4f} accuracy {accuracy:.3f}")


torch.set_num_threads(1)
torch.manual_seed(58)
train(load_initial(store_initial()), steps=120)
