"""A GRU classifier of generated gestures with a gradient clipping of its own making.

fault: clip-too-small
also: learning-rate-too-low
split: test
line: 45
"""

import torch
import torch.nn.functional as F
from torch import nn


class GestureNet(nn.Module):
    def __init__(self, classes=4, hidden=24):
        super().__init__()
        self.gru = nn.GRU(2, hidden, batch_first=True)
        self.fc = nn.Linear(hidden, classes)

    def forward(self, path):
        return self.fc(self.gru(path)[0].mean(1))


def gestures(count, length=16):
    """Circles both ways, zigzags and lines."""
    label = torch.randint(0, 4, (count,))
    t = torch.linspace(0, 6.28, length).expand(count, length) + torch.rand(count, 1) * 6.28
    x = torch.where((label < 2).unsqueeze(1), torch.cos(t), t - t.mean(1, keepdim=True))
    direction = torch.where(label == 0, 1.0, -1.0).unsqueeze(1)
    zigzag = torch.where((label == 2).unsqueeze(1), torch.sign(torch.sin(3 * t)), 0.5 * x)
    y = torch.where((label < 2).unsqueeze(1), direction * torch.sin(t), zigzag)
    return torch.stack([x, y], -1) + 0.1 * torch.randn(count, length, 2), label


def clip(parameters, limit):
    gradients = [p.grad for p in parameters if p.grad is not None]
    norm = torch.sqrt(sum((g * g).sum() for g in gradients))
    if norm > limit:
        for g in gradients:
            g.mul_(limit / norm)
    return norm.item()


class Run:
    limit = 0.0001

    def __init__(self):
        self.net = GestureNet()
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.2, momentum=0.9, nesterov=True)

    def step(self):
        path, label = gestures(64)
        output = self.net(path)
        loss = F.nll_loss(F.log_softmax(output, 1), label)
        self.optimizer.zero_grad()
        loss.backward()
        norm = clip(self.net.parameters(), self.limit)
        self.optimizer.step()
        return loss.item(), norm, (output.argmax(1) == label).float().mean().item()


torch.set_num_threads(1)
torch.manual_seed(41)
run = Run()
for number in range(1, 241):
    loss, norm, accuracy = run.step()
    if number % 40 == 0:
        print(f"{number}: loss {loss:.4f} gradient {norm:.3f} accuracy {accuracy:.3f}")
