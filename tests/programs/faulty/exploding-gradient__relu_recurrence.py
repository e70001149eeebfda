"""A recurrent network with ReLU units that adds up marked numbers of a sequence.

fault: exploding-gradient
also: badly-scaled-init, activation-scale, initial-loss-off
split: train
line: 18
"""

import torch
from torch import nn


class Adder(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.rnn = nn.RNN(2, width, nonlinearity="relu", batch_first=True)
        self.out = nn.Linear(width, 1)
        nn.init.orthogonal_(self.rnn.weight_hh_l0, gain=1.9)

    def forward(self, sequence):
        states, _ = self.rnn(sequence)
        return self.out(states[:, -1]).squeeze(-1)


def make(count, length=20):
    numbers = torch.rand(count, length)
    marks = torch.zeros(count, length)
    marks.scatter_(1, torch.rand(count, length).topk(2, 1).indices, 1.0)
    return torch.stack([numbers, marks], -1), (numbers * marks).sum(1)


torch.set_num_threads(1)
torch.manual_seed(3)
model = Adder()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
test_x, test_y = make(500)
for step in range(1, 601):
    x, y = make(32)
    loss = ((model(x) - y) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 100 == 0:
        with torch.no_grad():
            error = ((model(test_x) - test_y) ** 2).mean().item()
        print(f"step {step} loss {loss.item():.4f} test {error:.4f}")
