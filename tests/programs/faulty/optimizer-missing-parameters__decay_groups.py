"""A GRU that adds up marked numbers in a sequence, with weight decay on the weights only.

fault: optimizer-missing-parameters
also:
split: test
line: 28
"""

import torch
from torch import nn


class Adder(nn.Module):
    def __init__(self, width=20):
        super().__init__()
        self.inputs = nn.Linear(2, width)
        self.recurrent = nn.GRU(width, width, batch_first=True)
        self.readout = nn.Linear(width, 1)

    def forward(self, x):
        states, _ = self.recurrent(torch.relu(self.inputs(x)))
        return self.readout(states[:, -1]).squeeze(-1)


def make_optimizer(model, lr, weight_decay):
    decayed, plain = [], []
    for name, parameter in model.named_parameters():
        if name.endswith("weight"):
            decayed.append(parameter)
        elif name.endswith("bias"):
            plain.append(parameter)
    groups = [{"params": decayed, "weight_decay": weight_decay}, {"params": plain, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=lr)


def adding_problem(batch, length=20):
    values = torch.rand(batch, length) * 2 - 1
    marks = torch.zeros(batch, length)
    rows = torch.arange(batch)
    marks[rows, torch.randint(0, length // 2, (batch,))] = 1.0
    marks[rows, torch.randint(length // 2, length, (batch,))] = 1.0
    return torch.stack([values, marks], -1), (values * marks).sum(1)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(14)
    model = Adder()
    optimizer = make_optimizer(model, lr=1e-2, weight_decay=1e-3)
    for step in range(1, 401):
        x, y = adding_problem(64)
        loss = torch.mean((model(x) - y) ** 2)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 50 == 0:
            print(f"step {step}: mse {loss.item():.4f} (variance of the target {y.var().item():.4f})")


main()
