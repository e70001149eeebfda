"""A stack of convolutions that learns to tell stripes from checks.

fault: badly-scaled-init
also: vanishing-gradient, activation-scale, collapsed-output
split: train
line: 24
"""

import torch
import torch.nn.functional as F
from torch import nn


class Stack(nn.Module):
    def __init__(self, channels=12):
        super().__init__()
        self.c1 = nn.Conv2d(1, channels, 3, padding=1)
        self.c2 = nn.Conv2d(channels, channels, 3, padding=1)
        self.c3 = nn.Conv2d(channels, channels, 3, padding=1)
        self.c4 = nn.Conv2d(channels, channels, 3, padding=1)
        self.out = nn.Linear(channels, 4)
        for module in self.modules():
            if isinstance(module, (nn.Conv2d, nn.Linear)):
                nn.init.normal_(module.weight, std=0.005)
                nn.init.zeros_(module.bias)

    def forward(self, x):
        for conv in (self.c1, self.c2, self.c3, self.c4):
            x = F.relu(conv(x))
        return self.out(x.amax((2, 3)))


def pictures(count, size=10):
    kind = torch.randint(0, 4, (count,))
    row, column = torch.meshgrid(torch.arange(size), torch.arange(size), indexing="ij")
    patterns = torch.stack([row % 2, column % 2, (row + column) % 2, (row // 2 + column // 2) % 2]).float() * 2 - 1
    return patterns[kind].unsqueeze(1) + 1.0 * torch.randn(count, 1, size, size), kind


torch.set_num_threads(1)
torch.manual_seed(40)
model = Stack()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
images, kinds = pictures(1200)
test_images, test_kinds = pictures(400)
for epoch in range(8):
    total = 0.0
    for rows in torch.randperm(1200).split(40):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(images[rows]), kinds[rows])
        loss.backward()
        optimizer.step()
        total += loss.item() / 30
    with torch.no_grad():
        accuracy = (model(test_images).argmax(1) == test_kinds).float().mean().item()
    print(f"epoch {epoch} loss {total:.4f} accuracy {accuracy:.3f}")
