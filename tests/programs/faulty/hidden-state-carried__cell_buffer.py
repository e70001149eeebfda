"""A recurrent cell written by hand that counts brackets to tell whether a string is balanced.

fault: hidden-state-carried
also:
split: train
line: 26
"""

import argparse

import torch
from torch import nn


class Counter(nn.Module):
    def __init__(self, width=20):
        super().__init__()
        self.width = width
        self.embed = nn.Embedding(3, width)
        self.update = nn.Linear(2 * width, width)
        self.gate = nn.Linear(2 * width, width)
        self.judge = nn.Linear(width, 1)
        self.memory = None

    def start(self, batch):
        if self.memory is None:
            self.memory = torch.zeros(batch, self.width)
        else:
            self.memory = self.memory[:batch].detach()

    def forward(self, ids):
        self.start(len(ids))
        for position in range(ids.shape[1]):
            joined = torch.cat([self.embed(ids[:, position]), self.memory], 1)
            gate = torch.sigmoid(self.gate(joined))
            self.memory = gate * self.memory + (1 - gate) * torch.tanh(self.update(joined))
        return self.judge(self.memory).squeeze(1)


def bracket_counts(count, length=8):
    ids = torch.randint(0, 3, (count, length))
    depth = (ids == 1).sum(1) - (ids == 2).sum(1)
    return ids, (depth > 0).float()


def run(options):
    model = Counter()
    optimizer = torch.optim.RMSprop(model.parameters(), lr=options.lr)
    loss_function = nn.BCEWithLogitsLoss()
    recent = []
    for step in range(1, options.steps + 1):
        ids, label = bracket_counts(options.batch)
        score = model(ids)
        loss = loss_function(score, label)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        recent.append(((score > 0).float() == label).float().mean().item())
        if step % 50 == 0:
            print(f"step {step} loss {loss.item():.4f} accuracy {sum(recent[-50:]) / 50:.3f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--batch", type=int, default=48)
    parser.add_argument("--lr", type=float, default=3e-3)
    torch.set_num_threads(1)
    torch.manual_seed(82)
    run(parser.parse_args())
