"""A shape classifier whose trainer collects all predictions for a report at the end.

fault: graph-kept-alive
also:
split: test
line: 24
"""

import argparse

import torch
import torch.nn.functional as F
from torch import nn


class Recorder:
    """Smooths the loss and keeps predictions with their labels."""

    def __init__(self):
        self.smooth, self.outputs, self.labels = None, [], []

    def update(self, loss, output, label):
        self.smooth = loss.item() if self.smooth is None else 0.95 * self.smooth + 0.05 * loss.item()
        self.outputs.append(output)
        self.labels.append(label)

    def report(self, last=20):
        guesses = torch.cat(self.outputs[-last:]).argmax(1)
        labels = torch.cat(self.labels[-last:])
        return ", ".join(f"{k}: {(guesses[labels == k] == k).float().mean():.2f}" for k in range(3))


class ConvNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(1, 8, 5)
        self.fc1 = nn.Linear(8 * 12, 24)
        self.fc2 = nn.Linear(24, 3)

    def forward(self, x):
        x = F.max_pool1d(F.leaky_relu(self.conv(x)), 3)
        return self.fc2(F.leaky_relu(self.fc1(x.flatten(1))))


def signals(count, length=40):
    label = torch.randint(0, 3, (count,))
    t = torch.arange(length) * 0.4 + torch.rand(count, 1) * 6.28
    kinds = torch.stack([torch.sin(t), torch.sign(torch.sin(t)), 2 * ((t / 6.28) % 1) - 1])
    return kinds[label, torch.arange(count)].unsqueeze(1) + 0.2 * torch.randn(count, 1, length), label


parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=300)
steps = parser.parse_args().steps
torch.set_num_threads(1)
torch.manual_seed(61)
model, recorder = ConvNet(), Recorder()
optimizer = torch.optim.RMSprop(model.parameters(), lr=1e-3)
for step in range(1, steps + 1):
    signal, label = signals(32)
    output = model(signal)
    loss = F.cross_entropy(output, label)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    recorder.update(loss, output, label)
    if step % 60 == 0:
        print(f"step {step} smooth loss {recorder.smooth:.4f} | recall {recorder.report()}")
