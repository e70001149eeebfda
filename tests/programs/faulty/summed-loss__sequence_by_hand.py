"""A GRU that predicts every next value of a series; the squared errors are added over batch and time.

fault: summed-loss
also: learning-rate-too-high
split: test
line: 46
"""

import argparse

import torch
from torch import nn


class NextValue(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.cell = nn.GRUCell(1, hidden)
        self.out = nn.Linear(hidden, 1)

    def forward(self, series):
        state = torch.zeros(len(series), self.cell.hidden_size)
        outputs = []
        for t in range(series.shape[1]):
            state = self.cell(series[:, t : t + 1], state)
            outputs.append(self.out(state))
        return torch.cat(outputs, 1)


class Waves:
    def __init__(self, length=13):
        self.time = torch.arange(length).float()

    def batch(self, count):
        frequency, phase = torch.rand(2, count, 1)
        return torch.sin((0.3 + 0.5 * frequency) * self.time + 6.28 * phase)


def run(options):
    torch.manual_seed(options.seed)
    model, waves = NextValue(options.hidden), Waves()
    optimizer = torch.optim.SGD(model.parameters(), lr=options.lr, momentum=0.9)
    for step in range(1, options.steps + 1):
        series = waves.batch(options.batch)
        error = model(series[:, :-1]) - series[:, 1:]
        loss = (error * error).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 50 == 0:
            print(f"step {step:4d} loss {loss.item():.4f} mean absolute error {error.abs().mean().item():.4f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float, default=0.1)
    parser.add_argument("--hidden", type=int, default=24)
    parser.add_argument("--batch", type=int, default=48)
    parser.add_argument("--steps", type=int, default=250)
    parser.add_argument("--seed", type=int, default=135)
    torch.set_num_threads(1)
    run(parser.parse_args())
